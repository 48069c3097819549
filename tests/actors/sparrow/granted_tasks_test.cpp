#include "actors/fake_executor.hpp"
#include "actors/machine/machine_session.hpp"
#include "actors/queue/granted_tasks.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using troupe::test::fake_executor;
using namespace std::chrono_literals;

namespace {

/// Machine 3 with two slots, in session with its owner, and with schedulers 0 and 1, from 0 s on.
/// Jobs 1 to 4 are of the owner, 7 and more of schedulers.
struct granted_tasks_fixture {
  std::shared_ptr<fake_executor> executor = std::make_shared<fake_executor>();
  fake_executor& runs = *executor;
  queue_rules rules{executor};
  queue_server server{3, resources::of_slots(2), rules};
  queue_sessions schedulers{{1, 900ms, 2}, server};
  granted_tasks host{server, schedulers};
  machine_session owner{{1, 900ms}, host};
  std::uint64_t owner_orders = 0;
  std::uint64_t scheduler_orders[2] = {0, 0};

  granted_tasks_fixture() {
    lease_reply reply{0, 1, 3, 1};
    reply.wants_all = true;
    CHECK(owner.hear(reply, 0s) == machine_session::reaction::turn);
    renew_owner(0s);
    for (const scheduler_id s : {0, 1}) {
      schedulers.hear({s, 1, 3, 0}, 0s);
      schedulers.report(s, 0s);
      schedulers.hear({s, 1, 3, 1, true, 0s}, 0s);
    }
  }

  void renew_owner(instant now) { owner.hear({0, 1, 3, 1, now, true}, now); }

  void renew_schedulers(instant now) {
    for (const scheduler_id s : {0, 1})
      schedulers.grant({role::scheduler, s, 1, 3, 1, now, {}}, now);
  }

  /// As the actor does before anything else.
  void catch_up(instant now) {
    owner.catch_up(now);
    schedulers.expire(now);
  }

  void grant(job_id job, instant now, bool kill = false) {
    owner.obey({{{job, 0}, 0, one_slot, 5s}, 4, 0, 0, kill, 1, 1, ++owner_orders}, now);
  }

  void put(entry_kind kind, job_id job, scheduler_id scheduler, instant now) {
    queue_entry entry;
    entry.kind = kind;
    entry.order = {{job, 0}, scheduler, one_slot, 5s};
    entry.placed_on = 3;
    queue_orders orders{scheduler, 1, 3, 1, true, 0s};
    orders.first_order = ++scheduler_orders[scheduler];
    orders.orders = {entry};
    schedulers.hear(orders, now);
  }

  std::vector<job_id> running() const {
    std::vector<job_id> jobs;
    for (const auto& [_, task] : runs.running)
      jobs.push_back(task.job);
    return jobs;
  }
};

} // namespace

TEST_CASE_FIXTURE(granted_tasks_fixture, "the owner's lease ends what came through the owner") {
  grant(1, 0s);
  put(entry_kind::task, 7, 0, 0s);
  grant(2, 0s); // waits
  put(entry_kind::task, 8, 1, 0s);
  CHECK(running() == std::vector<job_id>{1, 7});
  CHECK(owner.runs({2, 0}));
  renew_schedulers(500ms);
  catch_up(900ms);
  CHECK(owner.incarnation() == 2);
  CHECK_FALSE(owner.runs({1, 0}));
  CHECK_FALSE(owner.runs({2, 0}));
  CHECK(running() == std::vector<job_id>{7, 8}); // and the queue goes on
  CHECK(schedulers.incarnation(0) == 1);
}

TEST_CASE_FIXTURE(granted_tasks_fixture,
                  "a scheduler's lease ends what came from this scheduler only") {
  grant(1, 0s);
  put(entry_kind::task, 7, 0, 0s);
  grant(2, 0s);
  renew_owner(500ms);
  schedulers.grant({role::scheduler, 1, 1, 3, 1, 500ms, {}}, 500ms);
  catch_up(900ms);
  CHECK(schedulers.incarnation(0) == 2);
  CHECK(schedulers.incarnation(1) == 1);
  CHECK(owner.incarnation() == 1);
  CHECK(running() == std::vector<job_id>{1, 2});
}

TEST_CASE_FIXTURE(granted_tasks_fixture, "a scheduler with the owner's number has nothing of it") {
  grant(1, 0s);
  grant(2, 0s);
  grant(3, 0s); // waits
  CHECK_FALSE(schedulers.report(0, 0s).busy);
  CHECK(schedulers.running_for().empty());
  schedulers.hear({0, 2, 3, 0},
                  10ms); // a new incarnation of the scheduler: what waits of it is dropped
  CHECK(owner.runs({3, 0}));
  CHECK(server.core().waiting() == 1);
}

TEST_CASE_FIXTURE(granted_tasks_fixture, "an owner is told of all that it has granted and waits") {
  put(entry_kind::task, 7, 0, 0s);
  put(entry_kind::task, 8, 0, 0s);
  grant(1, 0s);
  lease_reply later{0, 2, 3, 1};
  later.wants_all = true;
  CHECK(owner.hear(later, 100ms) == machine_session::reaction::turn);
  const auto beat = owner.heartbeat(100ms);
  REQUIRE(beat.running.size() == 1);
  CHECK(beat.running[0].task == task_id{1, 0});
  CHECK(beat.running[0].scheduler == 4);
}

TEST_CASE_FIXTURE(granted_tasks_fixture, "a task that waits is killed without being started") {
  put(entry_kind::task, 7, 0, 0s);
  put(entry_kind::task, 8, 0, 0s);
  grant(1, 0s);
  grant(1, 10ms, true);
  CHECK(runs.started.size() == 2);
  CHECK(server.core().waiting() == 0);
  CHECK_FALSE(owner.runs({1, 0}));
  const auto beat = owner.heartbeat(10ms);
  REQUIRE(beat.ended.size() == 1);
  CHECK(beat.ended[0].end.outcome == task_outcome::preempted);
  CHECK(beat.ended[0].scheduler == 4);
}

TEST_CASE_FIXTURE(granted_tasks_fixture, "the end of a granted task is told to the owner") {
  grant(1, 0s);
  put(entry_kind::task, 7, 0, 0s);
  put(entry_kind::task, 8, 1, 0s);
  CHECK(server.core().is_granted(runs.run_of({1, 0})));
  CHECK_FALSE(server.core().is_granted(runs.run_of({7, 0})));
  const auto run = runs.end({1, 0});
  CHECK(owner.end(run, {{1, 0}, 3, task_outcome::finished, 50ms}, 50ms));
  CHECK(owner.heartbeat(50ms).ended.size() == 1);
  CHECK(running() == std::vector<job_id>{7, 8});
  CHECK(schedulers.take_freed());
}

TEST_CASE_FIXTURE(granted_tasks_fixture, "stolen entries go to their own schedulers") {
  grant(1, 0s);
  grant(2, 0s);
  put(entry_kind::reservation, 7, 0, 0s);
  put(entry_kind::task, 8, 1, 0s); // stays
  put(entry_kind::reservation, 9, 1, 0s);
  CHECK(schedulers.give_away(5, 10ms).size() == 2);
  CHECK(server.core().waiting() == 1);
  const auto told = schedulers.report(0, 10ms);
  REQUIRE(told.events.size() == 1);
  const auto* moved = std::get_if<moved_reservation>(&told.events[0]);
  REQUIRE(moved != nullptr);
  CHECK(moved->to == 5);
  CHECK(moved->job == 7);
  CHECK(moved->placed_on == 3);
  CHECK(told.busy); // until the scheduler has heard of it
  CHECK(schedulers.report(1, 10ms).events.size() == 1);
  CHECK(schedulers.give_away(5, 20ms).empty());
}
