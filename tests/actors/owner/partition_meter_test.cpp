#include "actors/owner/owner_core.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

/// An owner of partitions 0 (machines 0 and 1) and 2 (machines 4 and 5), with two slots each.
struct partition_meter_fixture {
  catalog machines = slot_catalog({9, 2, 8, 3, 7, 4, 6, 5}, 4, 2);
  owner_core owner{3, machines, std::array<partition_id, 2>{0, 2}, 3, conflict_detection::fine};
  std::vector<granted_placement> granted;
  commit_id last = 0;

  void commit(std::vector<placement> placements, commit_mode mode = commit_mode::each,
              std::vector<alternative> alternatives = {}) {
    commit_request wanted{1, ++last, 1, 0, std::move(placements)};
    wanted.mode = mode;
    wanted.alternatives = std::move(alternatives);
    owner.commit(wanted, granted, 0s);
  }
};

constexpr auto taken = static_cast<std::size_t>(conflict_cause::taken);

} // namespace

TEST_CASE_FIXTURE(partition_meter_fixture, "grants and refusals count where they happen") {
  commit({slot_placement(1, 0, 0)}); // counts although nobody has asked yet
  auto parts = owner.take_details(true);
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].partition == 0);
  CHECK(parts[0].granted == 1);
  CHECK(parts[0].running == 1);
  CHECK(parts[0].up == 2);
  CHECK(parts[0].machines == 2);
  CHECK(parts[0].used.amount[3] == 1);
  CHECK(parts[0].capacity.amount[3] == 4);
  CHECK(parts[1].partition == 2);

  commit({slot_placement(2, 0, 0), slot_placement(2, 1, 0), slot_placement(2, 2, 4)});
  commit({slot_placement(3, 0, 2)}); // on a machine of another owner
  parts = owner.take_details(true);
  CHECK(parts[0].granted == 1);
  CHECK(parts[0].refused[taken] == 1);
  CHECK(parts[1].granted == 1);
  CHECK(parts[1].refused[taken] == 0);

  parts = owner.take_details(true);
  CHECK(parts[0].granted == 0);
  CHECK(parts[0].refused[taken] == 0);
}

TEST_CASE_FIXTURE(partition_meter_fixture, "an alternative counts where it is") {
  owner.take_details(true);
  commit({slot_placement(1, 0, 0), slot_placement(1, 1, 0)});
  commit({slot_placement(2, 0, 0)}, commit_mode::each, {{0, 4, 0}});
  const auto parts = owner.take_details(true);
  CHECK(parts[0].granted == 2);
  CHECK(parts[0].refused[taken] == 0);
  CHECK(parts[1].granted == 1);
}

TEST_CASE_FIXTURE(partition_meter_fixture,
                  "of a transaction, only the conflicts count as refused") {
  owner.take_details(true);
  commit({slot_placement(1, 0, 0), slot_placement(1, 1, 0), slot_placement(1, 2, 0),
          slot_placement(1, 3, 4)},
         commit_mode::together);
  auto parts = owner.take_details(true);
  CHECK(parts[0].granted == 0);
  CHECK(parts[0].refused[taken] == 1);
  CHECK(parts[1].granted == 0);
  CHECK(parts[1].refused[taken] == 0);

  commit({slot_placement(2, 0, 0)}, commit_mode::hold); // what is held counts when it is launched
  parts = owner.take_details(true);
  CHECK(parts[0].granted == 0);
  commit_request launch{1, ++last, 1, 0, {slot_placement(2, 0, 0)}};
  launch.mode = commit_mode::launch;
  launch.settles = last - 1;
  owner.commit(launch, granted, 0s);
  CHECK(owner.take_details(true)[0].granted == 1);
}

TEST_CASE_FIXTURE(partition_meter_fixture,
                  "who does not ask any more gets nothing, and later anew") {
  owner.take_details(true);
  commit({slot_placement(1, 0, 0)});
  CHECK(owner.take_details(false).empty());
  commit({slot_placement(1, 1, 0)});
  CHECK(owner.take_details(true)[0].granted == 0);
}
