#include "actors/owner/placement_granter.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

/// Machines 0 and 1 of one slot. Scheduler 7 runs a task on machine 0 at priority 3.
struct placement_granter_fixture {
  catalog machines = even_catalog(2, 1, 1);
  owned_partitions parts{machines,
                         std::array<partition_id, 1>{0},
                         conflict_detection::fine,
                         {.preemption = true},
                         false};
  commit_request wanted{1, 1, 1, 0, {slot_placement(1, 0, 1), slot_placement(1, 1, 0)}};
  commit_reply reply;
  std::vector<granted_placement> granted;
  std::vector<evicted_task> evicted;

  placement_granter_fixture() {
    auto first = slot_placement(9, 0, 0);
    first.priority = 3;
    REQUIRE_FALSE(parts.find(0)->commit(first, 7));
    for (auto& p : wanted.placements) {
      p.priority = 5;
      p.preempts = true;
    }
  }

  placement_granter granter() { return {parts, wanted, 0s, {reply, granted, evicted}}; }
};

} // namespace

TEST_CASE_FIXTURE(placement_granter_fixture, "each placement is decided alone, and may preempt") {
  wanted.placements.push_back(slot_placement(1, 2, 1));
  granter().grant_each();
  REQUIRE(granted.size() == 2);
  CHECK(granted[0].evicted == 0);
  CHECK(granted[1].evicted == 1);
  REQUIRE(evicted.size() == 1);
  CHECK(evicted[0].task == task_id{9, 0});
  REQUIRE(reply.rejections.size() == 1);
  CHECK(reply.rejections[0].index == 2);
  CHECK(reply.rejections[0].cause == conflict_cause::taken);
}

TEST_CASE_FIXTURE(placement_granter_fixture, "one refusal undoes all, and nothing is preempted") {
  wanted.mode = commit_mode::together;
  CHECK_FALSE(granter().grant_together());
  CHECK(granted.empty());
  CHECK(evicted.empty());
  CHECK(parts.find(1)->free(1) == one_slot);
  CHECK(parts.find(1)->version(1) == 0);
  REQUIRE(reply.rejections.size() == 2);
  CHECK(reply.rejections[0].cause == conflict_cause::aborted);
  CHECK(reply.rejections[1].cause == conflict_cause::taken);
  CHECK(reply.rejections[1].winner == 7);
}

TEST_CASE_FIXTURE(placement_granter_fixture, "several grants on one machine are undone in turn") {
  const auto wide = even_catalog(2, 1, 2);
  owned_partitions on{wide, std::array<partition_id, 1>{0}, conflict_detection::coarse, {}, false};
  REQUIRE_FALSE(on.find(0)->commit(slot_placement(9, 0, 0), 7));
  const auto before = on.find(0)->claim_of(0);
  wanted.mode = commit_mode::together;
  wanted.placements = {slot_placement(1, 0, 1), slot_placement(1, 1, 1, 1),
                       slot_placement(1, 2, 0, 1), slot_placement(1, 3, 0, 9)};
  CHECK_FALSE(placement_granter(on, wanted, 0s, {reply, granted, evicted}).grant_together());
  CHECK(on.find(0)->version(0) == before.version);
  CHECK(on.find(0)->claim_of(0).winner == 7);
  CHECK(on.find(1)->version(1) == 0);
  CHECK(on.find(1)->grants() == 1);
  REQUIRE(reply.rejections.size() == 4);
  CHECK(reply.rejections[3].cause == conflict_cause::changed);
}

TEST_CASE_FIXTURE(placement_granter_fixture, "a held placement cannot be preempted") {
  wanted.mode = commit_mode::hold;
  wanted.placements.pop_back();
  CHECK(granter().grant_together());
  REQUIRE(granted.size() == 1);
  auto urgent = slot_placement(2, 0, 1);
  urgent.priority = 1000;
  urgent.preempts = true;
  CHECK(parts.find(1)->commit(urgent, 7));
}

TEST_CASE_FIXTURE(placement_granter_fixture, "an alternative is granted and named") {
  wanted.placements = {slot_placement(1, 0, 0)};
  wanted.alternatives = {{0, 99, 0}, {0, 1, 0}};
  granter().grant_each();
  REQUIRE(granted.size() == 1);
  CHECK(granted[0].machine == 1);
  REQUIRE(reply.diversions.size() == 1);
  CHECK(reply.diversions[0].machine == 1);
  CHECK(reply.machines.back().machine == 0);
}

TEST_CASE("a placement that would reach into a window of its machine is refused") {
  auto machines = even_catalog(2, 1, 4);
  machines.set_windows(std::make_shared<const machine_windows>(
    std::vector<machine_window>{{100s, 200s, {}, {1}}, {300s, 400s, 6, {1}}}, 2, nullptr));
  owned_partitions parts{
    machines, std::array<partition_id, 1>{0}, conflict_detection::fine, {}, false};
  std::uint32_t index = 0;
  const auto grants = [&](machine_id m, instant now, duration estimate, std::uint32_t tenant = 0) {
    auto asked = slot_placement(1, index++, m);
    asked.estimate = estimate;
    asked.tenant = tenant;
    const commit_request wanted{1, 1, 1, 0, {asked}};
    commit_reply reply;
    std::vector<granted_placement> granted;
    std::vector<evicted_task> evicted;
    placement_granter{parts, wanted, now, {reply, granted, evicted}}.grant_each();
    for (const auto& r : reply.rejections)
      CHECK(r.cause == conflict_cause::gone);
    for (const auto& g : granted) // makes room again
      parts.find(m)->end(m, g.task, g.grant);
    return !granted.empty();
  };
  CHECK(grants(0, 150s, duration{0}));
  CHECK_FALSE(grants(1, 0s, duration{0})); // without an estimate it counts as endless
  CHECK(grants(1, 0s, 100s));
  CHECK(grants(1, 2s, 100s)); // as late as it may be
  CHECK_FALSE(grants(1, 3s, 100s));
  CHECK_FALSE(grants(1, 150s, 1s));
  CHECK(grants(1, 200s, 100s));
  CHECK_FALSE(grants(1, 250s, 100s));
  CHECK(grants(1, 250s, 100s, 6));
  CHECK(grants(1, 350s, duration{0}, 6));
  CHECK_FALSE(grants(1, 350s, 1s, 5));
}
