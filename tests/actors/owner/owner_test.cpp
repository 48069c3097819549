#include "actors/neighbours.hpp"
#include "actors/owner/owner.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

struct launch_inbox {
  inbox<machine_order> orders;
};

launching_actor::behavior_type fake_launcher(launching_actor::pointer self, launch_inbox* got) {
  return {keep(got->orders, self)};
}

/// Owner 0 of partition 0, one of two; machines of one slot; two schedulers.
struct owner_fixture {
  launch_inbox launched[4];
  scheduler_inbox got[2];
  std::shared_ptr<const catalog> machines = slot_machines(4, 1, 2);
  machine_id first = machines->members(0)[0];
  machine_id second = machines->members(0)[1];
  machine_id foreign = machines->members(1)[0];
  world w;
  std::vector<launching_actor> handles;
  owner_actor subject;

  explicit owner_fixture(bool reports_first = false) {
    for (auto& l : launched)
      handles.push_back(w.system().spawn(fake_launcher, &l));
    owner_config config;
    config.machines = machines;
    config.partitions = {0};
    config.handles = std::make_shared<const std::vector<launching_actor>>(handles);
    config.schedulers = 2;
    config.plan = sync_plan::partitioned(1s, 2);
    config.report_interval = 100ms;
    config.reports_first = reports_first;
    config.resend_after = 2s;
    subject = w.system().spawn(owner, config);
    peers all;
    for (auto& g : got)
      all.schedulers.push_back(pointer(w.system().spawn(fake_scheduler, &g)));
    caf::anon_send(subject, all);
    w.settle();
  }

  void commit(scheduler_id from, commit_id id, std::vector<std::pair<task_id, machine_id>> wanted,
              std::uint64_t reports_seen = 0) {
    commit_request r{from, id, 0, reports_seen, {}};
    for (const auto& [t, m] : wanted)
      r.placements.push_back({t, m, 0, resources::of_slots(1), 5s});
    caf::anon_send(subject, r);
    w.settle();
  }

  void end(std::uint32_t index, machine_id machine) {
    caf::anon_send(subject, task_ends{{{task(index), machine, task_outcome::finished, w.now()}}});
    w.settle();
  }

  owner_sample sample() { return ask<owner_status>(w, subject, sample_atom_v).sample; }
};

} // namespace

TEST_CASE_FIXTURE(owner_fixture, "an owner answers at once and launches what it grants") {
  w.run_until(3s);
  commit(1, 1, {{task(0), first}, {task(1), second}});
  REQUIRE(got[1].replies.size() == 1);
  CHECK(got[1].replies[0].first == 3s);
  CHECK(got[1].replies[0].second.owner == 0);
  CHECK(got[1].replies[0].second.id == 1);
  CHECK(got[1].replies[0].second.rejections.empty());
  CHECK(got[0].replies.empty());
  REQUIRE(launched[first].orders.size() == 1);
  const auto& order = launched[first].orders[0].second.what;
  CHECK(order.task == task(0));
  CHECK(order.launcher == 0);
  CHECK(order.demand == resources::of_slots(1));
  CHECK(order.runtime == 5s);
  CHECK(launched[second].orders.size() == 1);
}

TEST_CASE_FIXTURE(owner_fixture, "an owner launches only what it grants, and says who was first") {
  commit(0, 1, {{task(0), first}});
  commit(1, 1, {{task(1), first}, {task(2), second}, {task(3), foreign}, {task(4), 99}});
  REQUIRE(got[1].replies.size() == 1);
  const auto& refused = got[1].replies[0].second.rejections;
  REQUIRE(refused.size() == 3);
  CHECK(refused[0].index == 0);
  CHECK(refused[0].cause == conflict_cause::taken);
  CHECK(refused[0].winner == 0);
  CHECK(refused[0].free == resources{});
  CHECK(refused[1].index == 2);
  CHECK(refused[1].cause == conflict_cause::moved);
  CHECK(refused[2].index == 3);
  CHECK(launched[first].orders.size() == 1);
  CHECK(launched[second].orders.size() == 1);
  CHECK(launched[foreign].orders.empty());
  const auto counted = sample();
  CHECK(counted.accepted == 2);
  CHECK(counted.rejected == 3);
  CHECK(counted.running == 2);
}

TEST_CASE_FIXTURE(owner_fixture,
                  "a commit that comes again is answered again and not granted again") {
  commit(0, 1, {{task(0), first}});
  commit(0, 1, {{task(0), first}});
  CHECK(got[0].replies.size() == 2);
  CHECK(got[0].replies[1].second.rejections.empty());
  CHECK(launched[first].orders.size() == 1);
  CHECK(sample().accepted == 1);
}

TEST_CASE_FIXTURE(owner_fixture, "what is held for a scheduler that falls silent is released") {
  commit_request part{0, 1, 0, 0, {{task(0), first, 0, resources::of_slots(1), 5s}}};
  part.mode = commit_mode::hold;
  caf::anon_send(subject, part);
  w.settle();
  REQUIRE(got[0].replies.size() == 1);
  CHECK(got[0].replies[0].second.rejections.empty());
  CHECK(launched[first].orders.empty());
  commit(1, 1, {{task(1, 2), first}});
  CHECK(got[1].replies[0].second.rejections.size() == 1);
  w.run_until(2 * owner_config{}.hold_timeout);
  commit(1, 2, {{task(1, 2), first}});
  CHECK(got[1].replies[1].second.rejections.empty());
  CHECK(launched[first].orders.size() == 1);
}

TEST_CASE_FIXTURE(owner_fixture, "a commit of a scheduler that is not there is ignored") {
  commit(2, 1, {{task(0), first}});
  CHECK(launched[first].orders.empty());
  CHECK(sample().accepted == 0);
}

TEST_CASE_FIXTURE(owner_fixture,
                  "ends are reported together, within the interval after the first") {
  commit(0, 1, {{task(0), first}, {task(1), second}});
  w.run_until(1s);
  end(0, first);
  w.run_until(1060ms);
  end(1, second);
  w.run_until(1100ms - 1ns);
  CHECK(got[0].reports.empty());
  w.run_until(1200ms);
  REQUIRE(got[0].reports.size() == 1);
  CHECK(got[0].reports[0].first == 1100ms);
  const auto& report = got[0].reports[0].second;
  CHECK(report.owner == 0);
  CHECK(report.number == 1);
  REQUIRE(report.ends.size() == 2);
  CHECK(report.ends[0].task == task(0));
  CHECK(report.ends[0].at == 1s);
  CHECK(report.ends[1].at == 1060ms);
  CHECK(got[1].reports.empty());
  commit(1, 1, {{task(5), first}});
  CHECK(got[1].replies.at(0).second.rejections.empty());
}

TEST_CASE_FIXTURE(owner_fixture, "a report is repeated until it has been seen") {
  commit(0, 1, {{task(0), first}});
  end(0, first);
  w.run_until(10s);
  REQUIRE(got[0].reports.size() >= 3);
  for (std::size_t i = 1; i < got[0].reports.size(); ++i) {
    CHECK(got[0].reports[i].second.number == 1);
    CHECK(got[0].reports[i].second.ends.size() == 1);
    const auto pause = got[0].reports[i].first - got[0].reports[i - 1].first;
    CHECK(pause >= 2s);
    CHECK(pause <= 4s);
  }
  const auto so_far = got[0].reports.size();
  SUBCASE("as its scheduler says") {
    caf::anon_send(subject, report_seen{0, 1});
    w.settle();
  }
  SUBCASE("as a later commit tells along the way") {
    commit(0, 2, {}, 1);
  }
  w.run();
  CHECK(got[0].reports.size() == so_far);
  CHECK(w.clock().pending() == 0);
}

TEST_CASE_FIXTURE(owner_fixture, "the word of a scheduler that is not there is ignored") {
  commit(0, 1, {{task(0), first}});
  end(0, first);
  caf::anon_send(subject, report_seen{7, 1});
  w.run_until(10s);
  CHECK(got[0].reports.size() > 1);
}

TEST_CASE_FIXTURE(owner_fixture, "ends of what does not run here are counted and change nothing") {
  commit(0, 1, {{task(0), first}});
  end(0, second);
  end(0, foreign);
  end(9, first);
  end(0, first);
  end(0, first);
  w.run_until(1s);
  REQUIRE(got[0].reports.size() == 1);
  CHECK(got[0].reports[0].second.ends.size() == 1);
  const auto counted = sample();
  CHECK(counted.ended == 1);
  CHECK(counted.unknown_ends == 4);
  CHECK(counted.running == 0);
}

TEST_CASE_FIXTURE(owner_fixture, "the death of a machine loses its task and its place") {
  commit(1, 1, {{task(0), first}});
  w.run_until(1s);
  caf::anon_send_exit(handles[first], caf::exit_reason::kill);
  w.settle();
  CHECK(sample().machines == 1);
  w.run_until(2s);
  REQUIRE(got[1].reports.size() == 1);
  CHECK(got[1].reports[0].first == 1100ms);
  REQUIRE(got[1].reports[0].second.ends.size() == 1);
  const auto& lost = got[1].reports[0].second.ends[0];
  CHECK(lost.task == task(0));
  CHECK(lost.outcome == task_outcome::lost);
  CHECK(lost.machine == first);
  CHECK(lost.at == 1s);
  commit(0, 1, {{task(1), first}, {task(2), second}});
  REQUIRE(got[0].replies.at(0).second.rejections.size() == 1);
  CHECK(got[0].replies[0].second.rejections[0].cause == conflict_cause::gone);
}

TEST_CASE_FIXTURE(owner_fixture, "in each round the schedulers whose turn it is get a snapshot") {
  commit(0, 1, {{task(0), first}});
  w.run_until(500ms);
  caf::anon_send(subject, sync_round{1}); // partition 0, round 1: scheduler 1 of 2
  w.run_until(1s);
  caf::anon_send(subject, sync_round{2});
  w.settle();
  REQUIRE(got[1].updates.size() == 1);
  CHECK(got[1].updates[0].first == 500ms);
  const auto& update = got[1].updates[0].second;
  CHECK(update.owner == 0);
  CHECK(update.round == 1);
  CHECK(update.commits_seen == 0);
  REQUIRE(update.partitions.size() == 1);
  CHECK(update.partitions[0].partition == 0);
  CHECK(update.partitions[0].taken_at == 500ms);
  CHECK(update.partitions[0].free == std::vector<std::int32_t>{0, 1});
  REQUIRE(got[0].updates.size() == 1);
  CHECK(got[0].updates[0].first == 1s);
  CHECK(got[0].updates[0].second.commits_seen == 1);
}

TEST_CASE_FIXTURE(owner_fixture, "an owner measures how much of its capacity is in use") {
  w.run_until(1s);
  commit(0, 1, {{task(0), first}});
  w.run_until(4s);
  end(0, first);
  w.run_until(5s);
  const auto counted = ask<owner_status>(w, subject, flush_atom_v).sample;
  CHECK(counted.seconds == doctest::Approx(5));
  CHECK(counted.used_seconds == doctest::Approx(1.5)); // half of it for 3 s
  CHECK(counted.over_capacity == 0);
  CHECK(sample().accepted == 0);
}

TEST_CASE("snapshots follow the reports of the ends that they know of, if that is wanted") {
  for (const bool wanted : {false, true}) {
    owner_fixture f{wanted};
    f.w.run_until(3s);
    f.commit(0, 1, {{task(0), f.first}});
    f.end(0, f.first);
    caf::anon_send(f.subject, sync_round{2});
    f.w.settle();
    REQUIRE(f.got[0].updates.size() == 1);
    CHECK(f.got[0].reports.size() == (wanted ? 1 : 0));
    f.w.run_until(4s);
    CHECK(f.got[0].reports.size() == 1);
  }
}
