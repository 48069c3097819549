#include "actors/counting_members.hpp"
#include "actors/recorder/recorder.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

/// Schedulers 0 and 2 are of group 0, scheduler 1 is of group 1.
struct recorder_fixture {
  bool idle = false;
  node_status nodes{11, 4, 0};
  workload_status load{3, 12, false, {{"odd", 2}}, {}};
  owner_log log;
  std::shared_ptr<run_record> record = std::make_shared<run_record>();
  world w;
  recorder_actor subject = make(1s);

  recorder_actor make(duration interval) {
    auto& s = w.system();
    recorder_config config;
    config.interval = interval;
    std::uint32_t turn = 0;
    for (std::uint64_t tasks : {1, 10, 100})
      config.schedulers.push_back(s.spawn(counting_scheduler, turn++ % 2, tasks, &idle));
    config.owners = {s.spawn(counting_owner, 0.5, 3.0, &log),
                     s.spawn(counting_owner, 1.0, 1.0, &log)};
    config.nodes = {s.spawn(counting_node, &nodes)};
    config.workloads = {s.spawn(counting_workload, &load)};
    config.groups = 2;
    config.record = record;
    return s.spawn(recorder, config);
  }
};

} // namespace

TEST_CASE_FIXTURE(recorder_fixture, "samples are summed per group and interval") {
  w.run_until(2500ms);
  REQUIRE(record->series.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    const auto& row = record->series[i];
    const auto n = static_cast<std::int64_t>(i / 2);
    CHECK(row.from == n * 1s);
    CHECK(row.to == (n + 1) * 1s);
    CHECK(row.group == i % 2);
    CHECK(row.sample.tasks.submitted == (i % 2 == 0 ? 101 : 10));
    CHECK(row.sample.conflicts == (i % 2 == 0 ? 202 : 20));
    CHECK(row.sample.delay.count() == (i % 2 == 0 ? 2 : 1));
    // (0.5 * 3 + 1 * 1) / 4
    CHECK(row.utilization == doctest::Approx(0.625));
  }
  CHECK(record->totals.tasks.submitted == 222);
  CHECK(record->totals.tasks.queued == 1110); // of now, not summed over time
  CHECK(record->totals.conflicts == 444);
  CHECK(record->owners.accepted == 28);
  CHECK(record->owners.machines == 10);
  CHECK(record->utilization_max == doctest::Approx(0.625));
  CHECK(record->nodes.launched == 11);
  CHECK(record->workload_tasks == 12);
  CHECK(record->skipped_rows.at("odd") == 2);
  CHECK(record->sampled_at == 2s);
  CHECK_FALSE(record->flushed);
}

TEST_CASE_FIXTURE(recorder_fixture,
                  "a flush takes the rest of the interval, and it is the last sample") {
  w.run_until(1400ms);
  ask<caf::ok_atom>(w, subject, flush_atom_v);
  CHECK(record->flushed);
  REQUIRE(record->series.size() == 4);
  CHECK(record->series[2].from == 1s);
  CHECK(record->series[2].to == 1400ms);
  CHECK(log.samples == inbox<int>{{1s, 0}, {1s, 0}, {1400ms, 1}, {1400ms, 1}});
  w.run_until(10s);
  CHECK(record->series.size() == 4);
  CHECK(record->sampled_at == 1400ms);
}

TEST_CASE_FIXTURE(recorder_fixture,
                  "a flush at the end of an interval counts nothing of time twice") {
  w.run_until(1s);
  ask<caf::ok_atom>(w, subject, flush_atom_v);
  CHECK(record->flushed);
  CHECK(record->sampled_at == 1s);
  for (const auto& row : record->series) {
    CHECK(row.from >= (&row < &record->series[2] ? instant{0} : instant{1s}));
    CHECK(row.to == 1s);
  }
}

TEST_CASE_FIXTURE(recorder_fixture,
                  "a run is finished when all is submitted and every scheduler is idle") {
  w.run_until(1s);
  CHECK_FALSE(record->finished);
  idle = true;
  w.run_until(2s);
  CHECK_FALSE(record->finished);
  load.ended = true;
  load.tasks = 333; // the schedulers have been given 111 in each of three intervals
  w.run_until(3s);
  CHECK(record->finished);
}

TEST_CASE_FIXTURE(recorder_fixture, "what a workload cannot read is recorded") {
  w.run_until(1s);
  CHECK(record->error.empty());
  load.error = "jobs.tr:7: no number";
  w.run_until(2s);
  CHECK(record->error == "jobs.tr:7: no number");
}

TEST_CASE("a flush during a sample takes another one after it") {
  struct asked {
    inbox<int> samples;
    caf::typed_response_promise<scheduler_status> answer;
  };
  asked log;
  const auto record = std::make_shared<run_record>();
  world w;
  // Its answers come when `peers` are sent.
  const auto slow = w.system().spawn([&log](scheduler_actor::pointer self) {
    return scheduler_actor::behavior_type{
      [&log](const peers&) {
        scheduler_sample sample;
        sample.tasks.submitted = 1;
        log.answer.deliver(scheduler_status{0, false, {{0, sample}}});
      },
      [](const submission&) {},
      [&log, self](sample_atom) -> caf::result<scheduler_status> {
        log.samples.emplace_back(virtual_clock::to_instant(self->clock().now()), 0);
        log.answer = self->make_response_promise<scheduler_status>();
        return log.answer;
      }};
  });
  recorder_config config;
  config.schedulers = {slow};
  config.record = record;
  const auto subject = w.system().spawn(recorder, config);
  w.run_until(1200ms);
  caf::scoped_actor self{w.system()};
  auto flushed = self->request(subject, caf::infinite, flush_atom_v);
  w.settle();
  CHECK(log.samples.size() == 1);
  caf::anon_send(slow, peers{});
  w.settle();
  CHECK(record->totals.tasks.submitted == 1);
  CHECK_FALSE(record->flushed);
  REQUIRE(log.samples.size() == 2);
  w.run_until(1300ms);
  caf::anon_send(slow, peers{});
  w.settle();
  CHECK(record->flushed);
  CHECK(record->totals.tasks.submitted == 2);
  REQUIRE(record->series.size() == 2);
  CHECK(record->series[0].to == 1s);
  CHECK(record->series[1].from == 1s);
  CHECK(record->series[1].to == 1200ms);
  bool answered = false;
  flushed.receive([&](caf::ok_atom) { answered = true; }, [](const caf::error&) {});
  CHECK(answered);
}

TEST_CASE("an interval has a row up to each end within it, and one for its rest") {
  bool idle = false;
  const auto record = std::make_shared<run_record>();
  world w;
  recorder_config config;
  config.schedulers = {w.system().spawn(counting_scheduler, 0u, std::uint64_t{1}, &idle)};
  config.record = record;
  config.ends_within = {1250ms, 1500ms, 2s, 2001ms};
  w.system().spawn(recorder, config);
  w.run_until(3500ms);
  std::vector<std::pair<instant, instant>> rows;
  for (const auto& row : record->series)
    rows.emplace_back(row.from, row.to);
  CHECK(rows ==
        std::vector<std::pair<instant, instant>>{
          {0s, 1s}, {1s, 1250ms}, {1250ms, 1500ms}, {1500ms, 2s}, {2s, 2001ms}, {2001ms, 3s}});
}

TEST_CASE("a sample that goes on beyond an end within an interval is followed by another one") {
  std::uint32_t asked = 0;
  caf::typed_response_promise<scheduler_status> answer;
  const auto record = std::make_shared<run_record>();
  world w;
  const auto slow = w.system().spawn([&](scheduler_actor::pointer self) {
    return scheduler_actor::behavior_type{
      [&](const peers&) { answer.deliver(scheduler_status{}); }, [](const submission&) {},
      [&, self](sample_atom) -> caf::result<scheduler_status> {
        ++asked;
        answer = self->make_response_promise<scheduler_status>();
        return answer;
      }};
  });
  recorder_config config;
  config.schedulers = {slow};
  config.record = record;
  config.ends_within = {1100ms};
  w.system().spawn(recorder, config);
  w.run_until(1200ms);
  CHECK(asked == 1);
  caf::anon_send(slow, peers{});
  w.settle();
  CHECK(asked == 2); // 1.1 s has passed meanwhile
  caf::anon_send(slow, peers{});
  w.settle();
  CHECK(asked == 2);
  REQUIRE(record->series.size() == 2);
  CHECK(record->series[1].from == 1s);
  CHECK(record->series[1].to == 1200ms);
}

TEST_CASE("a neighbour that has died costs its own counts only") {
  bool idle = true;
  const auto record = std::make_shared<run_record>();
  world w;
  recorder_config config;
  config.schedulers = {w.system().spawn(counting_scheduler, 0u, std::uint64_t{1}, &idle),
                       w.system().spawn(counting_scheduler, 0u, std::uint64_t{10}, &idle)};
  config.record = record;
  const auto subject = w.system().spawn(recorder, config);
  w.run_until(500ms);
  caf::anon_send_exit(config.schedulers[0], caf::exit_reason::kill);
  w.run_until(1s);
  CHECK(record->totals.tasks.submitted == 10);
  CHECK_FALSE(record->finished);
  ask<caf::ok_atom>(w, subject, flush_atom_v);
  CHECK(record->flushed);
}

TEST_CASE_FIXTURE(recorder_fixture, "where machines have queues, these tell the utilization") {
  nodes.queues.machines = 5;
  nodes.queues.used_seconds = 0.25;
  nodes.queues.seconds = 1;
  nodes.queues.resources[3] = {2, 1, 0};
  nodes.queues.tenants.resize(1);
  nodes.queues.tenants[0].over.amount[3] = 1;
  w.run_until(1500ms);
  nodes.queues.used_seconds = 1.25;
  nodes.queues.seconds = 3;
  nodes.queues.resources[3] = {6, 4, 1};
  nodes.queues.tenants[0].over.amount[3] = 4;
  w.run_until(2500ms);
  REQUIRE(record->series.size() == 4);
  CHECK(record->series[0].utilization == doctest::Approx(0.25));
  CHECK(record->series[2].utilization == doctest::Approx(0.5));
  CHECK(record->series[2].resources[3].capacity == 4);
  CHECK(record->series[2].resources[3].used == 3);
  CHECK(record->series[2].resources[3].stranded == 1);
  CHECK(record->nodes.queues.machines == 5);
}

TEST_CASE("what nodes have counted before the beginning is left out") {
  node_status counted;
  counted.queues.machines = 5;
  counted.queues.used_seconds = 4;
  counted.queues.seconds = 6;
  const auto record = std::make_shared<run_record>();
  world w;
  const auto node = w.system().spawn(counting_node, &counted);
  recorder_config config;
  config.record = record;
  config.clock = {w.system().clock().now() + 3s};
  config.reach = [](role, std::uint32_t, incarnation_id) { return caf::strong_actor_ptr{}; };
  config.find_nodes = [node] { return std::vector<node_reference>{{1, 7, node}}; };
  w.system().spawn(recorder, config);
  w.run_until(3s);
  CHECK(record->series.empty());
  counted.queues.used_seconds = 4.25;
  counted.queues.seconds = 7;
  w.run_until(4500ms);
  REQUIRE(record->series.size() == 1);
  CHECK(record->series[0].from == 0s);
  CHECK(record->series[0].to == 1s);
  CHECK(record->series[0].utilization == doctest::Approx(0.25));
}

TEST_CASE("a node that dies takes back nothing that it has counted") {
  node_status counted;
  counted.queues.machines = 5;
  counted.queues.used_seconds = 4;
  counted.queues.seconds = 8;
  const auto record = std::make_shared<run_record>();
  world w;
  std::vector<node_reference> there{{1, 7, w.system().spawn(counting_node, &counted)},
                                    {2, 7, w.system().spawn(counting_node, &counted)}};
  recorder_config config;
  config.record = record;
  config.clock = {w.system().clock().now() + 1s};
  config.reach = [](role, std::uint32_t, incarnation_id) { return caf::strong_actor_ptr{}; };
  config.find_nodes = [&there] { return there; };
  w.system().spawn(recorder, config);
  w.run_until(1s);
  there.pop_back();
  counted.queues.used_seconds = 4.5;
  counted.queues.seconds = 9;
  w.run_until(2500ms);
  REQUIRE(record->series.size() == 1);
  CHECK(record->series[0].utilization == doctest::Approx(0.5));
  CHECK(record->nodes.queues.machines == 5);
}

TEST_CASE("members are asked for details while somebody watches, and else not") {
  bool idle = true;
  int plain_questions = 0;
  owner_log log;
  const auto record = std::make_shared<run_record>();
  record->live = std::make_shared<live_board>(false);
  live_about about;
  about.policies = {"of a plugin", "latency-first"};
  about.group_of = {0, 0};
  about.owners = 2;
  about.owner_of = {0, 1};
  record->live->begin(about);
  world w;
  recorder_config config;
  config.groups = 2;
  config.schedulers = {
    w.system().spawn(counting_scheduler, 0u, std::uint64_t{1}, &idle),
    caf::actor_cast<scheduler_actor>(w.system().spawn(detailed_scheduler, &plain_questions))};
  config.from_plugin = {true, false};
  config.owners = {w.system().spawn(counting_owner, 0.5, 3.0, &log),
                   w.system().spawn(counting_owner, 1.0, 1.0, &log)};
  config.record = record;
  const auto subject = w.system().spawn(recorder, config);
  w.run_until(1s);
  CHECK(plain_questions == 1);
  record->live->read([](const live_state& s) {
    CHECK(s.samples == 1); // it is counted, without details
    CHECK_FALSE(s.detailed);
    CHECK(s.schedulers[1].ages_ms.empty());
    CHECK_FALSE(s.partitions[1].known);
  });

  record->live->watch(true);
  w.run_until(2s);
  CHECK(plain_questions == 1);
  record->live->read([](const live_state& s) {
    CHECK(s.samples == 2);
    CHECK(s.detailed);
    CHECK(s.now == 2s);
    CHECK(s.schedulers[0].policy == "of a plugin"); // which tells none
    CHECK(s.schedulers[0].placed == 1);
    CHECK(s.schedulers[1].policy == "adaptive");
    CHECK(s.schedulers[1].placed == 8);
    CHECK(s.schedulers[1].ages_ms == std::vector<std::uint16_t>{250, 750});
    CHECK(s.partitions[1].granted_sum == 7);
    CHECK(s.partitions[1].age_max == 0.75);
    CHECK(s.utilization == doctest::Approx(0.625));
    CHECK(s.groups[0].tasks.placed == 6);
  });

  ask<caf::ok_atom>(w, subject, flush_atom_v);
  CHECK(log.samples.back() == std::pair<instant, int>{2s, 1}); // books are checked at the end
}

TEST_CASE("partitions are recorded whether or not somebody watches") {
  int plain_questions = 0;
  owner_log log;
  const auto record = std::make_shared<run_record>();
  world w;
  recorder_config config;
  config.groups = 2;
  config.schedulers = {
    caf::actor_cast<scheduler_actor>(w.system().spawn(detailed_scheduler, &plain_questions))};
  config.from_plugin = {false};
  config.owners = {w.system().spawn(counting_owner, 0.5, 3.0, &log),
                   w.system().spawn(counting_owner, 1.0, 1.0, &log)};
  config.partitions = 2;
  config.record = record;
  const auto subject = w.system().spawn(recorder, config);
  w.run_until(1s);
  CHECK(plain_questions == 0);
  const auto rows = record->partitions.rows();
  REQUIRE(rows.size() == 2);
  CHECK(rows[1].to == 1s);
  CHECK(rows[1].first == 1);
  CHECK(rows[1].cell.placed == 7);
  CHECK(rows[1].cell.mean_age() == 0.75);
  ask<caf::ok_atom>(w, subject, flush_atom_v);
  CHECK(record->partitions.rows().size() == 2);
  CHECK(record->partitions.rows()[1].cell.placed == 14);
}
