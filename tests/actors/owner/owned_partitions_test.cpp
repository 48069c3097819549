#include "actors/owner/owned_partitions.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

/// Partitions 0 and 2 of three, with machines 0 and 1, and 4 and 5, of two slots each. Two tenants.
struct owned_partitions_fixture {
  catalog machines = slot_catalog({6, 3, 5, 2, 4, 1}, 3, 2);
  owned_partitions parts{machines,
                         std::array<partition_id, 2>{0, 2},
                         conflict_detection::fine,
                         {.preemption = true, .tenants = 2},
                         true};

  void run(std::uint32_t index, machine_id machine, scheduler_id scheduler, std::uint32_t tenant) {
    auto wanted = slot_placement(1, index, machine);
    wanted.tenant = tenant;
    REQUIRE_FALSE(parts.find(machine)->commit(wanted, scheduler));
  }

  sync_update all() {
    sync_update update;
    parts.add_snapshots(update, 1s);
    return update;
  }
};

} // namespace

TEST_CASE_FIXTURE(owned_partitions_fixture,
                  "machines of other owners, and unknown ones, are not found") {
  CHECK(parts.find(0)->partition() == 0);
  CHECK(parts.find(5)->partition() == 2);
  CHECK(parts.find(2) == nullptr);
  CHECK(parts.find(99) == nullptr);
}

TEST_CASE_FIXTURE(owned_partitions_fixture, "sums are over all partitions") {
  run(0, 0, 0, 0);
  run(1, 5, 0, 1);
  run(2, 4, 1, 1);
  CHECK(parts.used_by_tenant()[0].amount[static_cast<std::size_t>(resource::slots)] == 1);
  CHECK(parts.used_by_tenant()[1].amount[static_cast<std::size_t>(resource::slots)] == 2);
  CHECK(*parts.utilization() == doctest::Approx(3.0 / 8));
  const auto tasks = parts.running_of(0, false);
  REQUIRE(tasks.size() == 2);
  CHECK(tasks[1].machine == 5);
  for (machine_id m : {0, 1, 4, 5})
    parts.find(m)->remove(m);
  CHECK_FALSE(parts.utilization());
}

TEST_CASE_FIXTURE(owned_partitions_fixture, "evicted tasks run until they have ended") {
  run(0, 0, 0, 0);
  run(1, 0, 0, 0);
  auto urgent = slot_placement(1, 2, 0);
  urgent.priority = 5;
  urgent.preempts = true;
  REQUIRE_FALSE(parts.find(0)->commit(urgent, 1));
  CHECK(parts.running_of(0, false).size() == 1);
  CHECK(parts.running_of(0, true).size() == 2);
}

TEST_CASE_FIXTURE(owned_partitions_fixture,
                  "snapshots have versions, later ones in each incarnation") {
  run(0, 0, 0, 0);
  const auto first = all();
  REQUIRE(first.partitions.size() == 2);
  CHECK(first.used.size() == 2);
  CHECK(first.partitions[0].version == 1);
  parts.begin_versions(2);
  CHECK(all().partitions[1].version > first.partitions[0].version);
}

TEST_CASE_FIXTURE(owned_partitions_fixture,
                  "what is due in a round is told by scheduler, and then by partition") {
  using due = std::vector<owned_partitions::due_snapshot>;
  const auto in_round = [this](const sync_plan& plan, std::uint64_t n, std::uint32_t schedulers) {
    const auto told = parts.due(plan, n, schedulers);
    return due{told.begin(), told.end()};
  };
  // Of partitions 0 and 2, p goes to the schedulers s with s mod 3 = (p + 1) mod 3.
  CHECK(in_round(sync_plan::partitioned(1s, 3), 1, 6) == due{{0, 1}, {1, 0}, {3, 1}, {4, 0}});
  CHECK(in_round(sync_plan::partitioned(1s, 1), 1, 2) == due{{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  const auto some = parts.due(sync_plan::partitioned(1s, 3), 1, 1);
  sync_update one;
  parts.add_snapshots(one, some, 1s);
  REQUIRE(one.partitions.size() == 1);
  CHECK(one.partitions[0].partition == 2);
  CHECK(one.used.size() == 2);
}

TEST_CASE_FIXTURE(owned_partitions_fixture, "an answer has the states of the machines concerned") {
  run(0, 0, 0, 0);
  commit_request wanted;
  wanted.placements = {slot_placement(2, 0, 0), slot_placement(2, 1, 2)};
  commit_reply answer;
  answer.rejections.resize(2);
  answer.rejections[1].index = 1;
  answer.machines = {{5, 0, {}}};
  parts.add_states(wanted, answer);
  CHECK(answer.rejections[0].free == one_slot);
  CHECK(answer.rejections[0].version == 1);
  CHECK(answer.rejections[0].partition_version == 1);
  CHECK(answer.rejections[1].free.is_zero()); // of another owner
  CHECK(answer.machines[0].free == resources::of_slots(2));
}
