#include "actors/owner/owner_core.hpp"
#include "support/model_builders.hpp"
#include "support/sync_of.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

/// Owner 3 of four machines of two slots in partitions 0 and 1, and three schedulers.
struct owner_core_holds_fixture {
  catalog machines = slot_catalog({9, 2, 8, 3}, 2, 2);
  owner_core owner = with(conflict_detection::fine);
  std::vector<granted_placement> granted;
  commit_id last = 0;

  owner_core with(conflict_detection detection) {
    return {3, machines, std::array<partition_id, 2>{0, 1}, 3, detection, {.names_versions = true}};
  }

  commit_reply commit(commit_mode mode, std::vector<placement> placements, scheduler_id from = 0,
                      commit_id settles = 0, instant now = 0s,
                      std::vector<alternative> alternatives = {}) {
    granted.clear();
    return owner.commit(
      {from, ++last, 1, 0, std::move(placements), mode, settles, std::move(alternatives)}, granted,
      now);
  }

  std::int32_t free(machine_id m) {
    const auto update = sync_of(owner, sync_plan::partitioned(1s, 1), 1, 0, 0s);
    const auto place = machines.place_of(m);
    return update.partitions[place.partition].free[place.index];
  }

  std::vector<conflict_cause> causes(const commit_reply& reply) {
    std::vector<conflict_cause> out;
    for (const auto& r : reply.rejections)
      out.push_back(r.cause);
    return out;
  }

  const std::vector<placement> two{slot_placement(1, 0, 0), slot_placement(1, 1, 2)};
};

using causes_t = std::vector<conflict_cause>;

} // namespace

TEST_CASE_FIXTURE(owner_core_holds_fixture, "what is committed together is granted whole") {
  CHECK(commit(commit_mode::together, two).rejections.empty());
  CHECK(granted.size() == 2);
  CHECK(free(0) == 1);
  CHECK(owner.take_sample(0s).accepted == 2);
}

TEST_CASE_FIXTURE(owner_core_holds_fixture,
                  "one conflict aborts all that is committed together, without a trace") {
  commit(commit_mode::each, {slot_placement(9, 0, 2), slot_placement(9, 1, 2)}, 1);
  const auto before = sync_of(owner, sync_plan::partitioned(1s, 1), 1, 0, 0s);
  const auto reply =
    commit(commit_mode::together,
           {slot_placement(1, 0, 0), slot_placement(1, 1, 2), slot_placement(1, 2, 0)});
  CHECK(granted.empty());
  CHECK(causes(reply) ==
        causes_t{conflict_cause::aborted, conflict_cause::taken, conflict_cause::aborted});
  CHECK(reply.rejections[0].free == resources::of_slots(2));
  CHECK(reply.rejections[0].version == 0);
  CHECK(reply.rejections[1].winner == 1);
  CHECK(free(0) == 2);
  const auto after = sync_of(owner, sync_plan::partitioned(1s, 1), 1, 0, 0s);
  for (std::size_t p = 0; p < 2; ++p)
    CHECK(after.partitions[p].version == before.partitions[p].version);
  const auto sample = owner.take_sample(0s);
  CHECK(sample.accepted == 2);
  CHECK(sample.rejected == 1);
  CHECK(owner.inconsistent() == 0);
}

TEST_CASE_FIXTURE(owner_core_holds_fixture,
                  "an aborted claim does not make others conflict under coarse detection") {
  owner = with(conflict_detection::coarse);
  auto stale = slot_placement(1, 1, 2);
  stale.seen_version = 7;
  CHECK(causes(commit(commit_mode::together, {slot_placement(1, 0, 0), stale})) ==
        causes_t{conflict_cause::aborted, conflict_cause::changed});
  CHECK(commit(commit_mode::each, {slot_placement(2, 0, 0)}, 1).rejections.empty());
}

TEST_CASE_FIXTURE(owner_core_holds_fixture,
                  "what is held is charged and launched when it is settled") {
  CHECK(commit(commit_mode::hold, two).rejections.empty());
  CHECK(granted.empty());
  CHECK(owner.has_holds());
  CHECK(free(0) == 1);
  CHECK(owner.take_sample(0s).accepted == 0);
  CHECK(commit(commit_mode::launch, two, 0, 1).rejections.empty());
  REQUIRE(granted.size() == 2);
  CHECK(granted[1].task == task_id{1, 1});
  CHECK_FALSE(owner.has_holds());
  CHECK(free(0) == 1);
  CHECK(owner.take_sample(0s).accepted == 2);
  const task_end end{{1, 1}, 2, task_outcome::finished, 1s, granted[1].grant};
  owner.end({&end, 1}, 1s);
  CHECK(free(2) == 2);
}

TEST_CASE_FIXTURE(owner_core_holds_fixture, "what is held is free again when it is released") {
  commit(commit_mode::hold, two);
  const auto reply = commit(commit_mode::release, two, 0, 1);
  CHECK(causes(reply) == causes_t{conflict_cause::aborted, conflict_cause::aborted});
  CHECK(reply.rejections[0].free == resources::of_slots(2));
  CHECK(granted.empty());
  CHECK_FALSE(owner.has_holds());
  CHECK(owner.take_sample(0s).rejected == 0);
  CHECK(owner.inconsistent() == 0);
}

TEST_CASE_FIXTURE(owner_core_holds_fixture, "copies of holds and settlements change nothing") {
  commit(commit_mode::hold, two);
  CHECK(owner.commit({0, 1, 1, 0, two, commit_mode::hold}, granted, 1s).rejections.empty());
  commit(commit_mode::launch, two, 0, 1);
  CHECK(granted.size() == 2);
  granted.clear();
  owner.commit({0, 2, 1, 0, two, commit_mode::launch, 1}, granted, 1s);
  owner.commit({0, 1, 1, 0, two, commit_mode::hold}, granted, 1s);
  CHECK(granted.empty());
  CHECK_FALSE(owner.has_holds());
  CHECK(owner.take_sample(1s).running == 2);
}

TEST_CASE_FIXTURE(owner_core_holds_fixture,
                  "holds of a scheduler that is silent are released, those of others not") {
  commit(commit_mode::hold, {slot_placement(1, 0, 0)}, 0, 0, 1s);
  commit(commit_mode::hold, {slot_placement(2, 0, 0)}, 1, 0, 1s);
  owner.commit({1, 2, 1, 0, {slot_placement(2, 0, 0)}, commit_mode::hold}, granted, 9s); // a copy
  CHECK(owner.release_silent(1s, 11s) == 0);
  CHECK(owner.release_silent(2s, 11s) == 1);
  CHECK(owner.has_holds());
  CHECK(free(0) == 1);
  CHECK(owner.release_silent(10s, 20s) == 1);
  CHECK_FALSE(owner.has_holds());
  CHECK(free(0) == 2);
}

TEST_CASE_FIXTURE(owner_core_holds_fixture,
                  "a launch that comes too late is granted if there is still room") {
  commit(commit_mode::hold, two, 0, 0, 1s);
  owner.release_silent(2s, 11s);
  CHECK(commit(commit_mode::launch, two, 0, 1, 12s).rejections.empty());
  CHECK(granted.size() == 2);
  CHECK(free(0) == 1);

  commit(commit_mode::hold, {slot_placement(3, 0, 0)}, 0, 0, 13s);
  const auto held = last;
  owner.release_silent(14s, 15s);
  commit(commit_mode::each, {slot_placement(4, 0, 0)}, 1, 0, 16s);
  const auto reply = commit(commit_mode::launch, {slot_placement(3, 0, 0)}, 0, held, 17s);
  CHECK(causes(reply) == causes_t{conflict_cause::taken});
  CHECK(granted.empty());
}

TEST_CASE_FIXTURE(owner_core_holds_fixture,
                  "what is held on a machine that is lost is lost at its launch") {
  commit(commit_mode::hold, two);
  owner.remove(2, 1s);
  CHECK_FALSE(owner.has_news());
  SUBCASE("launched") {
    CHECK(commit(commit_mode::launch, two, 0, 1, 2s).rejections.empty());
    CHECK(granted.size() == 1);
    const auto reports = owner.reports(2s);
    REQUIRE(reports.size() == 1);
    REQUIRE(reports[0].second.ends.size() == 1);
    CHECK(reports[0].second.ends[0].task == task_id{1, 1});
    CHECK(reports[0].second.ends[0].outcome == task_outcome::lost);
  }
  SUBCASE("released") {
    commit(commit_mode::release, two, 0, 1, 2s);
    CHECK_FALSE(owner.has_news());
    owner.restore(2, 2s);
    CHECK(free(2) == 2);
  }
  CHECK(owner.inconsistent() == 0);
}

TEST_CASE_FIXTURE(owner_core_holds_fixture,
                  "alternatives are tried in turn where the first choice is refused") {
  commit(commit_mode::each, {slot_placement(9, 0, 0), slot_placement(9, 1, 0)}, 1);
  const auto reply = commit(
    commit_mode::each, {slot_placement(1, 0, 0), slot_placement(1, 1, 2), slot_placement(1, 2, 0)},
    0, 0, 0s, {{0, 999, 0}, {0, 1, 0}, {0, 3, 0}, {1, 3, 0}, {2, 0, 0}});
  REQUIRE(granted.size() == 2);
  CHECK(granted[0].machine == 1); // the first alternative is no machine of this owner
  CHECK(granted[1].machine == 2);
  REQUIRE(reply.diversions.size() == 1);
  CHECK(reply.diversions[0].index == 0);
  CHECK(reply.diversions[0].machine == 1);
  REQUIRE(reply.rejections.size() == 1);
  CHECK(reply.rejections[0].index == 2);
  bool told = false;
  for (const auto& m : reply.machines)
    if (m.machine == 1) {
      told = true;
      CHECK(m.free == one_slot);
      CHECK(m.version == 1);
    }
  CHECK(told);
  CHECK(owner.take_sample(0s).accepted == 4);
}

TEST_CASE_FIXTURE(owner_core_holds_fixture,
                  "rejections and snapshots name the version of the partition") {
  commit(commit_mode::each, {slot_placement(9, 0, 0), slot_placement(9, 1, 0)}, 1);
  const auto reply = commit(commit_mode::each, {slot_placement(1, 0, 0), slot_placement(1, 1, 1)});
  REQUIRE(reply.rejections.size() == 1);
  const auto partition = machines.place_of(0).partition;
  const auto update = sync_of(owner, sync_plan::partitioned(1s, 1), 1, 0, 0s);
  CHECK(update.partitions[partition].version == 2 + (machines.place_of(1).partition == partition));
  CHECK(reply.rejections[0].partition_version == update.partitions[partition].version);
}
