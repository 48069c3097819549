#include "actors/sparrow/sparrow_scheduler.hpp"
#include "actors/sparrow_neighbours.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

/// A scheduler on four machines that only listen.
struct sparrow_scheduler_fixture {
  machine_inbox got[4];
  world w;
  std::vector<queueing_machine_actor> machines;
  sparrow_scheduler_actor subject;

  sparrow_scheduler_fixture() {
    for (auto& g : got)
      machines.push_back(w.system().spawn(fake_machine, &g));
    subject = spawn({}, false);
  }

  sparrow_scheduler_actor spawn(const sparrow_limits& limits, bool watch) {
    sparrow_scheduler_config config;
    config.id = 2;
    config.machines = slot_machines(4, 1, 1);
    config.handles = std::make_shared<std::vector<queueing_machine_actor>>(machines);
    config.limits = limits;
    config.watch_machines = watch;
    config.random = random_stream{1};
    return w.system().spawn(sparrow_scheduler, config);
  }

  template <class... Message>
  void tell(const Message&... message) {
    caf::anon_send(subject, message...);
    w.settle();
  }

  std::size_t entries() const {
    std::size_t n = 0;
    for (const auto& g : got)
      n += g.entries.size();
    return n;
  }

  scheduler_status status() { return ask<scheduler_status>(w, subject, sample_atom_v); }
};

} // namespace

TEST_CASE_FIXTURE(sparrow_scheduler_fixture, "nothing is probed before the others are known") {
  tell(submission{{slot_job(1, 1)}});
  w.run_until(1s);
  CHECK(entries() == 0);
  tell(peers{});
  w.run_until(2s);
  CHECK(entries() == 2);
}

TEST_CASE_FIXTURE(sparrow_scheduler_fixture, "deciding takes its time, one job after the other") {
  sparrow_limits limits;
  limits.t_job = 10ms;
  limits.t_task = 1ms;
  subject = spawn(limits, false);
  tell(peers{});
  tell(submission{{slot_job(1, 1), slot_job(2, 1)}});
  w.run_until(1s);
  std::vector<instant> when;
  for (const auto& g : got)
    for (const auto& [at, entry] : g.entries) {
      CHECK(at == (entry.order.task.job == 1 ? 11ms : 22ms));
      when.push_back(at);
    }
  CHECK(when.size() == 4);
}

TEST_CASE_FIXTURE(sparrow_scheduler_fixture,
                  "a machine that asks is answered, and the others are told to forget") {
  tell(peers{});
  tell(submission{{slot_job(1, 1)}});
  w.run();
  machine_id asking = 0;
  while (got[asking].entries.empty())
    ++asking;
  tell(get_task_request{1, 0, asking, asking, -1});
  REQUIRE(got[asking].assignments.size() == 1);
  const auto& answer = got[asking].assignments[0].second;
  CHECK_FALSE(answer.none);
  CHECK(answer.order.task == task_id{1, 0});
  CHECK(answer.order.launcher == 2);
  std::size_t cancelled = 0;
  for (machine_id m = 0; m < 4; ++m) {
    cancelled += got[m].cancellations.size();
    CHECK((got[m].cancellations.empty() || m != asking));
  }
  CHECK(cancelled == 1);
}

TEST_CASE_FIXTURE(sparrow_scheduler_fixture,
                  "requests that come together are answered as if one by one") {
  tell(peers{});
  tell(submission{{slot_job(1, 2)}});
  w.run();
  REQUIRE(entries() == 4);
  task_requests all;
  for (machine_id m = 0; m < 4; ++m)
    all.all.push_back({1, 0, m, m, -1});
  tell(all);
  for (machine_id m = 0; m < 4; ++m) {
    CAPTURE(m);
    REQUIRE(got[m].assignments.size() == 1);
    const auto& answer = got[m].assignments[0].second;
    CHECK(answer.none == (m >= 2));
    if (!answer.none)
      CHECK(answer.order.task.index == m);
    // The second one has taken the last task, and had the others told to forget.
    CHECK(got[m].cancellations.size() == (m >= 2 ? 1 : 0));
  }
}

TEST_CASE_FIXTURE(sparrow_scheduler_fixture, "a job is over when its tasks have ended") {
  tell(peers{});
  tell(submission{{slot_job(1, 1)}});
  w.run();
  CHECK_FALSE(status().idle);
  tell(get_task_request{1, 0, 3, 3, -1});
  tell(task_news{{{task(0), 3, 2s}}, {{task(0), 3, task_outcome::finished, 3s}}});
  const auto s = status();
  CHECK(s.idle);
  CHECK(s.scheduler == 2);
  CHECK(sum_of(s).job_response.max() == doctest::Approx(3));
}

TEST_CASE_FIXTURE(sparrow_scheduler_fixture, "per-task sampling probes first and sends then") {
  sparrow_limits limits;
  limits.how = probing::per_task;
  subject = spawn(limits, false);
  tell(peers{});
  tell(submission{{slot_job(1, 1)}});
  w.run();
  CHECK(entries() == 0);
  std::int32_t length = 5;
  machine_id last = 0;
  for (machine_id m = 0; m < 4; ++m)
    for (const auto& [at, probe] : got[m].probes) {
      CHECK(probe.scheduler == 2);
      tell(probe_answer{probe.round, probe.index, length--});
      last = m;
    }
  CHECK(entries() == 1);
  CHECK(got[last].entries.size() == 1);
}

TEST_CASE_FIXTURE(sparrow_scheduler_fixture, "what a machine takes with it is run elsewhere") {
  subject = spawn({}, true);
  tell(peers{});
  tell(submission{{slot_job(8, 1)}});
  w.run();
  const machine_id dies = 1;
  tell(get_task_request{8, 0, dies, dies, -1});
  REQUIRE(got[dies].assignments.size() == 1);
  const auto before = entries();
  caf::anon_send_exit(machines[dies], caf::exit_reason::kill);
  w.run();
  CHECK(entries() > before);
  const auto counts = sum_of(status()).tasks;
  CHECK(counts.queued == 1);
  CHECK(counts.in_commit == 0);
}

TEST_CASE_FIXTURE(sparrow_scheduler_fixture, "a scheduler answers a notice, and heeds it") {
  tell(peers{});
  for (machine_id m = 0; m < 3; ++m)
    tell(capacity_notice{m, {}, 7});
  for (machine_id m = 0; m < 3; ++m) {
    REQUIRE(got[m].heard.size() == 1);
    CHECK(got[m].heard[0].second.scheduler == 2);
    CHECK(got[m].heard[0].second.number == 7);
  }
  tell(submission{{slot_job(1, 1)}});
  w.run_until(1s);
  CHECK(got[3].entries.size() == entries());
  CHECK(entries() > 0);
}
