#include "machine_leases_fixture.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::test;

TEST_CASE_FIXTURE(machine_leases_fixture,
                  "a new owner grants nothing before every machine has told what it runs") {
  CHECK(core.running_of(1).empty());
  const auto first = leases.hear(beat(0, 1ms, 1, 1), 1ms);
  REQUIRE(first.word);
  CHECK(first.word->wants_all);
  CHECK_FALSE(first.word->renews);
  CHECK(first.new_incarnation);
  leases.hear(joining(0, 2ms, {claim(0, 1)}), 2ms);
  leases.hear(joining(1, 2ms), 2ms);
  CHECK_FALSE(leases.ready());
  CHECK(leases.statements(2ms).empty());
  CHECK_FALSE(leases.admits(commit(session_base(2, 1))));
  const auto last = leases.hear(joining(2, 3ms), 3ms);
  CHECK(last.word->renews);
  CHECK(leases.ready());
  const auto statements = leases.statements(3ms);
  REQUIRE(statements.size() == 2);
  CHECK(statements[0].second.running.empty());
  REQUIRE(statements[1].second.running.size() == 1);
  CHECK(statements[1].second.running[0].task == task(0));
  CHECK(leases.admits(commit(session_base(2, 1) + 1)));
  CHECK_FALSE(leases.admits(commit(session_base(1, 1) + 1))); // meant for the owner before
  CHECK_FALSE(leases.admits(commit(session_base(2, 7) + 1)));
}

TEST_CASE_FIXTURE(machine_leases_fixture,
                  "a machine that stays away is unknown until it must have stopped") {
  leases.hear(joining(0, 2ms, {claim(0, 1)}), 2ms);
  leases.hear(joining(1, 2ms), 2ms);
  leases.check(499ms);
  CHECK_FALSE(leases.ready());
  leases.check(500ms);
  CHECK(leases.ready());
  CHECK_FALSE(leases.knows_all());
  const auto first = leases.statements(500ms);
  REQUIRE(first.size() == 2);
  CHECK(first[1].second.running.size() == 1);
  CHECK(first[1].second.unknown == std::vector<machine_id>{2});
  leases.seen(1, first[1].second.session, 500ms);
  // It grants on what it knows.
  REQUIRE(leases.admits(commit(session_base(2, 1) + 1)));
  std::vector<granted_placement> granted;
  CHECK(core.commit(commit(session_base(2, 1) + 1), granted, 600ms).rejections.empty());
  auto on_unknown = commit(session_base(2, 1) + 1, 0);
  on_unknown.placements[0].machine = 2;
  CHECK(core.commit(on_unknown, granted, 600ms).rejections.size() == 1);
  leases.hear(beat(0, 1200ms), 1200ms);
  leases.hear(beat(1, 1200ms), 1200ms);
  leases.check(2400ms);
  CHECK_FALSE(leases.knows_all()); // the owner before may act for 1 s, the machine for 1.5 s more
  leases.hear(beat(0, 2400ms), 2400ms);
  leases.hear(beat(1, 2400ms), 2400ms);
  leases.check(2500ms);
  CHECK(leases.knows_all());
  // It states again, and takes no commit of before.
  const auto second = leases.statements(2500ms);
  REQUIRE(second.size() == 2);
  CHECK(second[1].second.session == (session_base(2, 1) | stated_again));
  CHECK(second[1].second.running.size() == 2);
  CHECK(second[1].second.unknown.empty());
  CHECK_FALSE(leases.admits(commit(session_base(2, 1) + 1)));
  CHECK(leases.admits(commit(session_base(2, 1) | stated_again)));
  // What the machine ran is lost by now: it has to forget it.
  const auto late = leases.hear(joining(2, 2600ms, {claim(5, 0)}), 2600ms);
  CHECK(late.word->incarnation == 2);
  CHECK(leases.present() == 2);
  leases.hear(joining(2, 2700ms, {}, 2), 2700ms);
  CHECK(leases.present() == 3);
  CHECK(core.running_of(0).empty());
}

TEST_CASE_FIXTURE(machine_leases_fixture, "a machine that tells late is taken for what it says") {
  leases.hear(joining(0, 2ms), 2ms);
  leases.hear(joining(1, 2ms), 2ms);
  leases.check(500ms);
  leases.statements(500ms);
  leases.seen(0, session_base(2, 1) + 1, 500ms);
  auto late = joining(2, 900ms, {claim(5, 0)});
  late.ended = {{3, 0, {task(6), 2, task_outcome::finished, 800ms}}};
  CHECK(leases.hear(late, 900ms).word->incarnation == 1);
  CHECK(leases.knows_all());
  const auto again = leases.statements(900ms);
  REQUIRE(again.size() == 2);
  REQUIRE(again[0].second.running.size() == 1);
  CHECK(again[0].second.running[0].machine == 2);
  REQUIRE(again[0].second.ended.size() == 1);
  CHECK(again[0].second.ended[0].task == task(6));
}

TEST_CASE("where there is an allocator, a new owner waits for all machines") {
  const auto machines = slot_machines(2, 3, 1);
  const std::vector<partition_id> partitions{0};
  owner_core core{0, *machines, partitions, 1, conflict_detection::fine, {false, true}};
  machine_leases leases{core, *machines, partitions, {1}, {2, 1500ms, 5s, 500ms, 0s, 10s}, 0s};
  machine_heartbeat joining{0, 1, 2, 0s};
  joining.joins = true;
  leases.hear(joining, 0s);
  leases.check(1s);
  CHECK_FALSE(leases.ready());
  joining.machine = 1;
  leases.hear(joining, 2s);
  CHECK(leases.knows_all());
}

TEST_CASE_FIXTURE(machine_leases_fixture,
                  "a silent machine is given up and comes back as another incarnation only") {
  join_all(0s);
  leases.hear(beat(1, 1s), 1s);
  leases.hear(beat(2, 1s), 1s);
  leases.check(1499ms);
  CHECK(leases.present() == 3);
  leases.check(1500ms);
  CHECK(leases.present() == 2);
  CHECK(core.running_of(1).empty());
  CHECK(leases.hear(beat(0, 1600ms), 1600ms).word->incarnation == 2);
  CHECK(leases.present() == 2);
  leases.hear(joining(0, 1700ms, {}, 2), 1700ms);
  CHECK(leases.present() == 3);
  CHECK(core.inconsistent() == 0);
}

TEST_CASE_FIXTURE(machine_leases_fixture, "orders are repeated until the machine has seen them") {
  join_all(0s);
  machine_order order;
  order.what.task = task(4);
  CHECK(leases.order(1, order, 10ms).number == 1);
  CHECK(leases.order(1, order, 20ms).number == 2);
  CHECK(leases.hear(beat(1, 400ms), 400ms).again.empty());
  const auto again = leases.hear(beat(1, 600ms), 600ms).again;
  REQUIRE(again.size() == 2);
  CHECK(again[0].number == 1);
  CHECK(again[1].number == 2);
  CHECK(leases.order(1, order, 700ms).number == 3);
  CHECK(leases.hear(beat(1, 1100ms), 1100ms).again.empty()); // the second time it waits for longer
  auto seen = beat(1, 1200ms);
  seen.orders_seen = 2;
  CHECK(leases.hear(seen, 1200ms).again.empty());
  CHECK(leases.orders(1, task(4))); // the third one
  REQUIRE(leases.hear(seen, 1700ms).again.size() == 1);
  seen.orders_seen = 3;
  leases.hear(seen, 1800ms);
  CHECK_FALSE(leases.orders(1, task(4)));
}

TEST_CASE_FIXTURE(machine_leases_fixture,
                  "an end may be forgotten once the scheduler has seen it") {
  join_all(0s);
  auto b = beat(0, 100ms);
  b.ended = {{7, 1, {task(0), 0, task_outcome::finished, 90ms}}};
  auto word = leases.hear(b, 100ms).word;
  CHECK(word->events_heard == 7);
  CHECK(word->events_done == 6);
  CHECK(core.reports(200ms).size() == 1);
  leases.seen(1, session_base(2, 1) + 1, 200ms); // the statement
  CHECK(leases.hear(beat(0, 200ms), 200ms).word->events_done == 6);
  leases.seen(1, session_base(2, 1) + 2, 300ms);
  CHECK(leases.hear(beat(0, 300ms), 300ms).word->events_done == 7);
}

TEST_CASE_FIXTURE(machine_leases_fixture,
                  "another incarnation of a scheduler is told all, what has just ended too") {
  join_all(0s);
  leases.statements(0s);
  auto b = beat(0, 100ms);
  b.ended = {{1, 1, {task(0), 0, task_outcome::finished, 90ms}}};
  leases.hear(b, 100ms);
  leases.scheduler_incarnations(1, 3, 200ms);
  leases.scheduler_incarnations(1, 2, 200ms); // one before that
  const auto statements = leases.statements(200ms);
  REQUIRE(statements.size() == 1);
  CHECK(statements[0].second.session == session_base(2, 3));
  REQUIRE(statements[0].second.ended.size() == 1);
  CHECK(leases.statements(300ms).empty());
  CHECK(leases.statements(2s).size() == 2); // neither was heard
  leases.seen(1, session_base(2, 3), 2s);
  CHECK(leases.statements(3s).size() == 1);
}

TEST_CASE_FIXTURE(machine_leases_fixture,
                  "an owner without word from the master stops after its lease") {
  join_all(0s);
  CHECK(leases.may_act(9999ms));
  CHECK_FALSE(leases.may_act(10s));
  leases.extend_lease(4s);
  CHECK(leases.may_act(13s));
  auto b = beat(0, 14s);
  CHECK_FALSE(leases.hear(b, 14s).word->renews);
  b.owner_incarnation = 3;
  CHECK_FALSE(leases.hear(b, 14s).word);
  CHECK(leases.deposed());
}

TEST_CASE_FIXTURE(machine_leases_fixture,
                  "an owner calls machines that it has given up, and hears who has taken over") {
  join_all(0s);
  CHECK(leases.calls().empty());
  leases.check(1500ms);
  CHECK(leases.present() == 0);
  CHECK(leases.calls().size() == 3);
  leases.hear(beat(1, 2s, 1, 3), 2s);
  CHECK(leases.deposed());
}

TEST_CASE("a silent machine gets nothing more, and keeps what it has for a while") {
  const auto machines = slot_machines(2, 3, 1);
  const std::vector<partition_id> partitions{0};
  owner_core core{0, *machines, partitions, 1, conflict_detection::fine};
  machine_leases leases{core, *machines, partitions, {1}, {1, 1500ms, 5s, 500ms, 0s, 10s}, 0s};
  const auto beat = [&](machine_id m, instant at) {
    machine_heartbeat b{m, 1, 1, at};
    b.joins = at == instant{0s};
    leases.hear(b, at);
    leases.check(at);
  };
  commit_id commits = 0;
  const auto grants = [&](instant at) {
    std::vector<granted_placement> granted;
    const commit_request wanted{
      0,
      ++commits,
      commits,
      0,
      {{task(static_cast<std::uint32_t>(commits)), 0, 0, resources::of_slots(1), 60s}}};
    return core.commit(wanted, granted, at).rejections.empty();
  };
  beat(0, 0s);
  beat(1, 0s);

  const bool at_first = grants(1499ms);
  beat(1, 1500ms);
  const bool when_silent = grants(1500ms);
  const auto kept = core.take_sample(1500ms).running;
  beat(0, 2s);
  const bool heard_again = grants(2s);
  beat(1, 6999ms);
  const auto before_the_end = core.take_sample(6999ms).running;
  beat(1, 7s);
  const auto given_up = core.take_sample(7s).running;

  CHECK(at_first);
  CHECK_FALSE(when_silent);
  CHECK(kept == 1);
  CHECK(heard_again);
  CHECK(before_the_end == 2);
  CHECK(given_up == 0);
}

TEST_CASE_FIXTURE(machine_leases_fixture, "an owner keeps to what machines say that they have") {
  join_all(1ms);
  auto less = beat(0, 2ms);
  less.capacity = {resources{}};
  const auto answer = leases.hear(less, 2ms);
  CHECK(answer.killed == std::vector<task_id>{task(0)});
  // Until the machine has killed it, it may run.
  CHECK_FALSE(core.has_news());
  CHECK(core.running_of(1).size() == 1);
  auto late = beat(0, 1ms); // sent before
  CHECK(leases.hear(late, 3ms).killed.empty());
  std::vector<granted_placement> granted;
  auto wanted = commit(session_base(2, 1) + 1);
  wanted.placements[0].machine = 0;
  CHECK(core.commit(wanted, granted, 3ms).rejections.size() == 1);
  auto after = beat(0, 4ms);
  after.capacity = {resources{}};
  after.ended = {{1, 1, {task(0), 0, task_outcome::lost, 3ms}}};
  leases.hear(after, 4ms);
  const auto reports = core.reports(4ms);
  REQUIRE(reports.size() == 1);
  REQUIRE(reports[0].second.ends.size() == 1);
  CHECK(reports[0].second.ends[0].outcome == task_outcome::lost);
  CHECK(reports[0].second.preempted.empty());
  CHECK(core.running_of(1).empty());
  leases.hear(beat(0, 1s), 1s); // it has all again
  wanted.id = 2;
  CHECK(core.commit(wanted, granted, 1s).rejections.empty());
}

TEST_CASE_FIXTURE(machine_leases_fixture, "a new owner learns what machines have as they join") {
  auto first = joining(0, 1ms, {claim(0, 1)});
  first.capacity = {resources::of_slots(1)};
  CHECK(leases.hear(first, 1ms).killed.empty());
  leases.hear(joining(1, 1ms), 1ms);
  leases.hear(joining(2, 1ms), 1ms);
  CHECK(core.running_of(1).size() == 1);
  std::vector<granted_placement> granted;
  auto wanted = commit(session_base(2, 1) + 1);
  wanted.placements[0].machine = 0;
  CHECK(core.commit(wanted, granted, 2ms).rejections.size() == 1);
}

TEST_CASE_FIXTURE(machine_leases_fixture,
                  "the first statements of a new owner tell what machines have") {
  owner_core told{0, *machines, partitions, 2, conflict_detection::fine, {.tells_changes = true}};
  machine_leases of_told{told, *machines, partitions, {1, 1}, {2, 1500ms, 1500ms, 500ms, 1s, 10s},
                         0s};
  const auto with = [&](machine_id m, resources has, std::vector<running_claim> running = {}) {
    auto b = joining(m, 1ms, std::move(running));
    b.capacity = {has};
    return of_told.hear(b, 1ms).killed;
  };
  CHECK(with(0, resources::of_slots(1), {claim(0, 1)}).empty());
  CHECK(with(1, resources{}).empty());
  CHECK(with(2, resources{}, {claim(1, 1)}) == std::vector<task_id>{task(1)});
  const auto statements = of_told.statements(1ms);
  REQUIRE(statements.size() == 2);
  const auto& to_1 = statements[1].second;
  REQUIRE(to_1.capacities.size() == 3);
  CHECK(to_1.capacities[0].machine == 0);
  CHECK(to_1.capacities[0].capacity == resources::of_slots(1));
  CHECK(to_1.capacities[1].capacity.is_zero());
  CHECK(to_1.capacities[2].capacity == resources::of_slots(1)); // as its task may still run
  CHECK(to_1.running.size() == 2);
}
