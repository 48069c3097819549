#include "actors/fake_executor.hpp"
#include "actors/machine/core_host.hpp"
#include "actors/machine/machine_session.hpp"
#include "actors/owner/owner_core.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

// Preemption by an owner whose machines may fail: what gives way runs until its machine has killed
// it.

using troupe::test::fake_executor;

namespace {

/// One machine of two slots, two schedulers, the third incarnation of the owner.
struct owner_core_preemption_fixture {
  catalog machines = even_catalog(1, 1, 2);
  owner_core owner{0,
                   machines,
                   std::array<partition_id, 1>{0},
                   2,
                   conflict_detection::fine,
                   {.ranking = {.preemption = true}, .names_versions = true}};
  std::vector<granted_placement> granted;
  commit_id commits = 0;

  owner_core_preemption_fixture() { owner.watch_failures(3); }

  bool grant(scheduler_id scheduler, std::uint32_t index, std::int32_t priority, instant now) {
    auto p = slot_placement(1, index, 0);
    p.priority = priority;
    p.preempts = true;
    granted.clear();
    return owner.commit({scheduler, ++commits, commits, 0, {p}}, granted, now).rejections.empty();
  }

  /// Fills the machine with tasks 0 and 1 of scheduler 0 and has task 2 of scheduler 1 evict 1.
  void evict_one() {
    REQUIRE(owner.adopt({{1, 0}, 0, one_slot, 9s, 0, 0}, 0, 0s));
    REQUIRE(owner.adopt({{1, 1}, 0, one_slot, 9s, 0, 0}, 0, 1s));
    REQUIRE(grant(1, 2, 5, 2s));
    REQUIRE(owner.evicted().size() == 1);
    REQUIRE(owner.evicted()[0].task == task_id{1, 1});
  }

  std::size_t end(std::uint32_t index, task_outcome outcome, instant now) {
    const task_end e{{1, index}, 0, outcome, now};
    return owner.end({&e, 1}, now);
  }

  bool states(scheduler_id scheduler, task_id task) {
    const auto all = owner.running_of(scheduler);
    return std::ranges::find(all, task, &task_place::task) != all.end();
  }
};

} // namespace

TEST_CASE_FIXTURE(owner_core_preemption_fixture,
                  "a task was preempted once its machine has killed it") {
  evict_one();
  CHECK(owner.reports(2s).empty());
  CHECK(states(0, {1, 1}));
  CHECK(end(1, task_outcome::preempted, 3s) == 0); // without its grant number, as it was adopted
  CHECK_FALSE(states(0, {1, 1}));
  const auto reports = owner.reports(3s);
  REQUIRE(reports.size() == 1);
  CHECK(reports[0].first == 0);
  REQUIRE(reports[0].second.preempted.size() == 1);
  CHECK(reports[0].second.preempted[0].task == task_id{1, 1});
  CHECK(reports[0].second.preempted[0].ran == 1s);
  CHECK(reports[0].second.ends.empty());
  CHECK(owner.counted().evicted == 1);
  CHECK(owner.counted().unknown_ends == 0);
}

TEST_CASE_FIXTURE(owner_core_preemption_fixture, "a task that ends before it is killed has ended") {
  evict_one();
  CHECK(end(1, task_outcome::finished, 3s) == 1);
  const auto reports = owner.reports(3s);
  REQUIRE(reports.size() == 1);
  REQUIRE(reports[0].second.ends.size() == 1);
  CHECK(reports[0].second.ends[0].outcome == task_outcome::finished);
  CHECK(reports[0].second.preempted.empty());
  CHECK(owner.counted().evicted == 0);
}

TEST_CASE_FIXTURE(owner_core_preemption_fixture,
                  "what was to leave a machine that is given up has left it") {
  evict_one();
  owner.remove(0, 4s);
  CHECK(owner.running_of(0).empty());
  const auto reports = owner.reports(4s);
  REQUIRE(reports.size() == 2);
  CHECK(reports[0].second.preempted.size() == 1);
  CHECK(reports[0].second.ends.size() == 1); // task 0
}

TEST_CASE_FIXTURE(owner_core_preemption_fixture,
                  "another incarnation of a scheduler is told of what is still to leave") {
  evict_one();
  CHECK(owner.open_session(0, 77, 2s).running.size() == 2);
  end(1, task_outcome::preempted, 3s);
  CHECK(owner.reports(3s).size() == 1);
  CHECK(owner.open_session(0, 78, 3s).running.size() == 1);
}

TEST_CASE_FIXTURE(owner_core_preemption_fixture,
                  "nobody gives way on a machine on which nothing is to be started") {
  evict_one();
  owner.empty(0, 3s);
  CHECK_FALSE(grant(1, 3, 9, 3s));
  owner.fill({0, machines.machine(0).capacity}, 4s);
  CHECK(grant(1, 3, 9, 4s));
}

TEST_CASE_FIXTURE(
  owner_core_preemption_fixture,
  "tasks give way on a machine that was idle and silent, was given up, and came back") {
  owner.empty(0, 1s);
  owner.remove(0, 5s);
  owner.restore(0, 6s);
  evict_one();
}

TEST_CASE_FIXTURE(owner_core_preemption_fixture,
                  "versions are greater than any that an earlier incarnation has named") {
  evict_one();
  owner_core later{0,
                   machines,
                   std::array<partition_id, 1>{0},
                   2,
                   conflict_detection::fine,
                   {.names_versions = true}};
  later.watch_failures(4);
  CHECK(later.sync_all(1, 0, 0s).partitions.at(0).version >
        owner.sync_all(1, 0, 0s).partitions.at(0).version);
}

TEST_CASE("an adopted task is killed and told by its name") {
  fake_executor runs;
  machine_core core{0, resources::of_slots(1)};
  core_host host{core, runs};
  machine_session session{{1, 900ms}, host};
  const auto join = [&](incarnation_id owner_incarnation) {
    lease_reply word{0, owner_incarnation, 0, 1};
    word.wants_all = true;
    session.hear(word, 0s);
    word.wants_all = false;
    word.renews = true;
    session.hear(word, 0s);
  };
  join(1);
  machine_order launch{{{1, 0}, 0, one_slot, 9s, 7}};
  launch.owner_incarnation = launch.incarnation = 1;
  launch.number = 1;
  session.obey(launch, 0s);
  join(2);
  machine_order kill;
  kill.what.task = {1, 0};
  kill.kill = true;
  kill.owner_incarnation = 2;
  kill.incarnation = 1;
  kill.number = 1;
  session.obey(kill, 1ms);
  const auto beat = session.heartbeat(1ms);
  REQUIRE(beat.ended.size() == 1);
  CHECK(beat.ended[0].end.grant == no_grant);
  CHECK(beat.ended[0].end.outcome == task_outcome::preempted);
}
