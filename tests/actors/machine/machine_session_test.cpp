#include "actors/fake_executor.hpp"
#include "actors/machine/core_host.hpp"
#include "actors/machine/machine_session.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

struct machine_session_fixture {
  fake_executor runs;
  machine_core core{3, resources::of_slots(2)};
  core_host host{core, runs};
  machine_session session{{1, 900ms}, host};

  machine_order launch(std::uint64_t number, std::uint32_t task,
                       incarnation_id owner_incarnation = 1, incarnation_id incarnation = 1) {
    return {{{1, task}, 0, resources::of_slots(1), 5s},
            4,
            0,
            0,
            false,
            owner_incarnation,
            incarnation,
            number};
  }

  lease_reply word(incarnation_id owner_incarnation, instant answers, bool renews = true,
                   incarnation_id incarnation = 1) {
    lease_reply w{0, owner_incarnation, 3, incarnation, answers, renews};
    w.wants_all = !renews;
    return w;
  }

  std::vector<task_id> running() const {
    std::vector<task_id> tasks;
    for (const auto& [task, _] : session.running_for())
      tasks.push_back(task);
    return tasks;
  }

  /// Has the machine obey incarnation `owner_incarnation` of its owner from `now` on.
  void join(incarnation_id owner_incarnation, instant now) {
    CHECK(session.hear(word(owner_incarnation, 0s, false), now) == machine_session::reaction::turn);
    CHECK(session.heartbeat(now).joins);
    session.hear(word(owner_incarnation, now), now);
    CHECK_FALSE(session.heartbeat(now).joins);
  }

  task_end end_of(std::uint32_t task, instant at) {
    return {{1, task}, 3, task_outcome::finished, at};
  }
};

} // namespace

TEST_CASE_FIXTURE(machine_session_fixture,
                  "a machine carries out each order of the owner that it obeys once") {
  session.obey(launch(1, 0), 0s); // of nobody that it knows
  CHECK(runs.running.empty());
  join(1, 0s);
  session.obey(launch(1, 0), 0s);
  session.obey(launch(1, 0), 10ms);
  session.obey(launch(2, 1, 2), 10ms);
  session.obey(launch(2, 1, 1, 7), 10ms);
  CHECK(running() == std::vector<task_id>{{1, 0}});
  CHECK(session.heartbeat(20ms).orders_seen == 1);
  session.obey(launch(2, 1), 20ms);
  CHECK(running().size() == 2);
}

TEST_CASE_FIXTURE(machine_session_fixture, "an order that comes early waits for the one before") {
  join(1, 0s);
  session.obey(launch(3, 2), 0s);
  session.obey(launch(2, 1), 0s);
  session.obey(launch(9999, 5), 0s); // too early to be kept
  CHECK(running().empty());
  session.obey(launch(1, 0), 10ms);
  CHECK(session.heartbeat(10ms).orders_seen == 3);
  CHECK(running() == std::vector<task_id>{{1, 0}, {1, 1}});
  CHECK(runs.refused == std::vector<task_id>{{1, 2}});
  SUBCASE("but not for one of a new owner") {
    session.obey(launch(5, 5), 10ms);
    join(2, 20ms);
    session.obey(launch(1, 3, 2), 30ms);
    CHECK(session.heartbeat(30ms).orders_seen == 1);
  }
}

TEST_CASE_FIXTURE(machine_session_fixture, "what does not fit is refused and told as lost") {
  join(1, 0s);
  for (std::uint32_t t = 0; t < 3; ++t)
    session.obey(launch(t + 1, t), 0s);
  CHECK(runs.refused.size() == 1);
  const auto beat = session.heartbeat(0s);
  REQUIRE(beat.ended.size() == 1);
  CHECK(beat.ended[0].end.outcome == task_outcome::lost);
  CHECK(beat.ended[0].scheduler == 4);
}

TEST_CASE_FIXTURE(machine_session_fixture,
                  "ends are told until the owner has heard, and kept until it has done") {
  join(1, 0s);
  session.obey(launch(1, 0), 0s);
  const auto run = runs.run_of({1, 0});
  CHECK_FALSE(session.end(run + 1, end_of(0, 5s), 5s)); // of another run of the task
  CHECK(session.end(run, end_of(0, 5s), 5s));
  CHECK_FALSE(session.end(run, end_of(0, 5s), 5s));
  REQUIRE(session.heartbeat(5s).ended.size() == 1);
  auto heard = word(1, 500ms);
  heard.events_heard = 1;
  session.hear(heard, 510ms);
  CHECK(session.heartbeat(510ms).ended.empty());
  // A new owner has heard of nothing.
  session.hear(word(2, 0s, false), 520ms);
  CHECK(session.heartbeat(520ms).ended.size() == 1);
  auto done = word(2, 530ms);
  done.events_done = 1;
  session.hear(done, 540ms);
  session.hear(word(3, 0s, false), 550ms);
  CHECK(session.heartbeat(550ms).ended.empty());
}

TEST_CASE_FIXTURE(machine_session_fixture,
                  "a machine without contact stops its tasks and begins a new incarnation") {
  join(1, 0s);
  session.obey(launch(1, 0), 0s);
  session.hear(word(1, 100ms), 400ms); // counts from when it was asked
  CHECK(session.next_due(0s) == 1s);
  session.catch_up(999ms);
  CHECK(runs.running.size() == 1);
  session.catch_up(1s);
  CHECK(runs.running.empty());
  CHECK(running().empty());
  CHECK(session.incarnation() == 2);
  CHECK(session.owner_incarnation() == 0);
  session.obey(launch(2, 1), 1s);
  CHECK(runs.running.empty());
}

TEST_CASE_FIXTURE(machine_session_fixture,
                  "what runs goes on under a new owner, for as long as the old one said") {
  join(1, 0s);
  session.obey(launch(1, 0), 0s);
  CHECK(session.hear(word(2, 0s, false), 600ms) == machine_session::reaction::turn);
  const auto beat = session.heartbeat(600ms);
  CHECK(beat.joins);
  CHECK(beat.owner_incarnation == 2);
  REQUIRE(beat.running.size() == 1);
  CHECK(beat.running[0].scheduler == 4);
  CHECK(session.next_due(0s) == 900ms);
  session.obey(launch(2, 1, 1), 610ms); // the old one has nothing to say any more
  CHECK(running().size() == 1);
  CHECK(session.hear(word(1, 600ms), 620ms) == machine_session::reaction::depose);
  CHECK(session.next_due(0s) == 900ms);
  session.hear(word(2, 600ms), 630ms);
  CHECK(session.next_due(0s) == 1500ms);
}

TEST_CASE_FIXTURE(machine_session_fixture,
                  "an earlier owner is told of the later one, even if the machine stopped since") {
  join(2, 0s);
  session.catch_up(1s);
  CHECK(session.owner_incarnation() == 0);
  CHECK(session.hear(word(1, 0s, false, 0), 2s) == machine_session::reaction::depose);
  CHECK(session.refusal(2s).owner_incarnation == 2);
  CHECK(session.refusal(2s).incarnation == session.incarnation());
  CHECK(session.owner_incarnation() == 0);
  CHECK(session.hear(word(2, 0s, false, 0), 3s) == machine_session::reaction::turn);
}

TEST_CASE_FIXTURE(machine_session_fixture,
                  "a machine that was given up begins a new incarnation, idle") {
  join(1, 0s);
  session.obey(launch(1, 0), 0s);
  CHECK(session.hear(word(1, 0s, false, 5), 100ms) == machine_session::reaction::turn);
  CHECK(runs.running.empty());
  CHECK(session.incarnation() == 5);
}

TEST_CASE_FIXTURE(
  machine_session_fixture,
  "a new owner's first reply is obeyed, although it does not know the incarnation") {
  join(1, 0s);
  session.obey(launch(1, 0), 0s);
  CHECK(session.hear(word(2, 0s, false, 0), 100ms) == machine_session::reaction::turn);
  CHECK(session.owner_incarnation() == 2);
  CHECK(running().size() == 1);
}

TEST_CASE("a restarted machine obeys an owner that knows only an earlier incarnation of it") {
  fake_executor runs;
  machine_core core{3, resources::of_slots(2)};
  core_host host{core, runs};
  machine_session session{{1000, 900ms}, host};
  lease_reply call{0, 4, 3, 2};
  CHECK(session.hear(call, 0s) == machine_session::reaction::none); // no call, and of the past
  call.wants_all = true;
  CHECK(session.hear(call, 0s) == machine_session::reaction::turn);
  CHECK(session.owner_incarnation() == 4);
  CHECK(session.incarnation() == 1000);
  CHECK(session.heartbeat(0s).joins);
}

TEST_CASE_FIXTURE(machine_session_fixture, "a machine that leaves says so with every heartbeat") {
  join(1, 0s);
  CHECK_FALSE(session.heartbeat(1ms).leaves);
  session.leave();
  CHECK(session.heartbeat(2ms).leaves);
}

TEST_CASE("a machine keeps to its trace, and tells the owner what that costs") {
  fake_executor runs;
  machine_core core{3, resources::of_slots(2)};
  machine_session_rules rules{1, 900s};
  rules.capacities.add(5s, resources::of_slots(1));
  rules.capacities.add(8s, {});
  rules.capacities.add(9s, resources::of_slots(2));
  const auto begin = std::make_shared<run_begin>();
  rules.capacities_from = begin;
  core_host host{core, runs};
  machine_session session{rules, host};
  const auto order = [&](std::uint64_t number, std::uint32_t task, std::int32_t priority) {
    session.obey({{{1, task}, 0, resources::of_slots(1), 60s}, 4, priority, 0, false, 1, 1, number},
                 4s);
  };
  CHECK(session.next_due(4s) == instant::max());
  session.hear({0, 1, 3, 1}, 4s);
  session.hear({0, 1, 3, 1, 4s, true}, 4s);
  order(1, 0, 0);
  order(2, 1, 5);
  CHECK_FALSE(session.catch_up(6s)); // the run has not begun
  begin->set(1s);
  CHECK(session.next_due(4s) == 6s);
  CHECK_FALSE(session.catch_up(5s));
  CHECK(session.heartbeat(5s).capacity.empty());
  CHECK(session.catch_up(6s));
  CHECK(session.running_for().size() == 1);
  CHECK_FALSE(session.runs({1, 0})); // of the lower priority
  auto beat = session.heartbeat(6s);
  REQUIRE(beat.capacity.size() == 1);
  CHECK(beat.capacity[0] == resources::of_slots(1));
  REQUIRE(beat.ended.size() == 1);
  CHECK(beat.ended[0].end.outcome == task_outcome::lost);
  CHECK(beat.ended[0].scheduler == 4);
  order(3, 2, 9);
  CHECK_FALSE(session.runs({1, 2})); // it was launched before the owner knew
  CHECK(session.next_due(6s) == 9s);
  CHECK(session.catch_up(9s));
  CHECK(session.running_for().empty());
  CHECK(session.heartbeat(9s).capacity[0].is_zero());
  CHECK(session.catch_up(10s));
  CHECK(session.heartbeat(10s).capacity.empty());
  order(4, 3, 0);
  CHECK(session.runs({1, 3}));
}

TEST_CASE_FIXTURE(machine_session_fixture, "a launch that comes too late for a window is lost") {
  const auto windows = std::make_shared<const machine_windows>(
    std::vector<machine_window>{{10s, 20s, 0, {3}}}, 4, nullptr);
  machine_session_rules rules{1, 900s};
  rules.hours = machine_hours{windows, 3};
  session = machine_session{rules, host};
  join(1, 0s);
  auto order = launch(1, 7);
  order.what.estimate = 6s;
  order.tenant = 1;
  session.obey(order, 5s); // by less than two seconds
  CHECK(running() == std::vector<task_id>{{1, 7}});
  order.number = 2;
  order.what.task = {1, 8};
  session.obey(order, 9s);
  CHECK(running() == std::vector<task_id>{{1, 7}});
  const auto told = session.heartbeat(9s);
  REQUIRE(told.ended.size() == 1);
  CHECK(told.ended[0].end.task == task_id{1, 8});
  CHECK(told.ended[0].end.outcome == task_outcome::lost);
  order.number = 3;
  order.what.task = {1, 9};
  order.tenant = 0; // the window is reserved for it
  session.obey(order, 12s);
  CHECK(session.runs({1, 9}));
}

TEST_CASE_FIXTURE(machine_session_fixture,
                  "a machine is quiet once its owner knows all that it has to tell") {
  const auto answered = [&](instant sent, std::uint64_t heard, std::uint64_t done) {
    auto w = word(1, sent);
    w.events_heard = heard;
    w.events_done = done;
    session.hear(w, sent + 1ms);
  };
  const auto patience = 200ms;
  CHECK_FALSE(session.is_quiet(patience, 0s)); // no owner
  join(1, 0s);
  session.heartbeat(10ms);
  CHECK(session.is_quiet(patience, 10ms));
  session.obey(launch(1, 0), 20ms);
  CHECK_FALSE(session.is_quiet(patience, 20ms)); // an acknowledgement is due
  session.heartbeat(30ms);
  session.heartbeat(40ms);
  answered(30ms, 0, 0);
  CHECK_FALSE(session.is_quiet(patience, 45ms)); // the later one may tell more
  answered(40ms, 0, 0);
  CHECK(session.is_quiet(patience, 45ms));

  session.end(runs.end({1, 0}), end_of(0, 50ms), 50ms);
  CHECK_FALSE(session.is_quiet(patience, 50ms));
  session.heartbeat(50ms);
  answered(50ms, 1, 0);
  CHECK(session.is_quiet(patience, 60ms));
  CHECK_FALSE(session.is_quiet(patience, 250ms)); // asks whether the scheduler knows
  session.heartbeat(250ms);
  answered(250ms, 1, 1);
  CHECK(session.is_quiet(patience, 500ms));

  session.leave();
  CHECK_FALSE(session.is_quiet(patience, 500ms));
}

TEST_CASE_FIXTURE(machine_session_fixture,
                  "an answer to one of two heartbeats of an instant confirms the first") {
  join(1, 0s);
  session.heartbeat(10ms);
  session.leave();
  session.heartbeat(10ms);
  session.hear(word(1, 10ms), 20ms);
  CHECK_FALSE(session.is_quiet(200ms, 20ms));
  session.heartbeat(30ms);
  session.hear(word(1, 30ms), 40ms);
  CHECK(session.is_quiet(200ms, 40ms));
}

TEST_CASE_FIXTURE(machine_session_fixture,
                  "the answer to the heartbeat of its process extends a machine's lease") {
  process_lease lease{role::owner, 0, 1, 0, 1, 500ms, {}};
  session.grant(lease); // it obeys nobody
  CHECK(session.next_due(0s) == instant::max());
  join(1, 0s);
  CHECK(session.next_due(0s) == 900ms);
  SUBCASE("if it is in session") {
    session.grant(lease);
    CHECK(session.next_due(500ms) == 1400ms);
    CHECK(session.is_quiet(200ms, 949ms));
    CHECK_FALSE(session.is_quiet(200ms, 950ms)); // half of the lease is over
    lease.answers = 100ms;
    session.grant(lease); // late
    CHECK(session.next_due(500ms) == 1400ms);
    return;
  }
  SUBCASE("not if it is excepted") {
    lease.except = {{2, 4}};
  }
  SUBCASE("not of another incarnation of the owner") {
    lease.answers_as = 2;
  }
  SUBCASE("not of another process") {
    lease.incarnation = 2;
  }
  SUBCASE("not of a scheduler") {
    lease.from = role::scheduler;
  }
  session.grant(lease);
  CHECK(session.next_due(500ms) == 900ms);
}
