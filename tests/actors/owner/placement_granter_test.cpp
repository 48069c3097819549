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
