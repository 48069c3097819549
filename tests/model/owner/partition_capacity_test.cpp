#include "model/owner/partition_state.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;

namespace {

/// Two machines with four slots each; two tasks run on machine 0, one on machine 1.
struct partition_capacity_fixture {
  catalog machines = slot_catalog({2, 1}, 1, 4);
  partition_state state{machines, 0, conflict_detection::fine};

  partition_capacity_fixture() {
    state.commit(slot_placement(1, 0, 0), 3);
    state.commit(slot_placement(1, 1, 0), 3);
    state.commit(slot_placement(1, 2, 1), 3);
  }
};

resources slots(std::int32_t n) {
  return resources::of_slots(n);
}

} // namespace

TEST_CASE_FIXTURE(partition_capacity_fixture,
                  "a machine may have less than by the catalog, and more again") {
  state.set_capacity(0, slots(3));
  CHECK(state.capacity_of(0) == slots(3));
  CHECK(state.free(0) == slots(1));
  CHECK(state.capacity().amount[3] == 7);
  CHECK_FALSE(state.commit(slot_placement(2, 0, 0), 3));
  const auto refused = state.commit(slot_placement(2, 1, 0), 3);
  REQUIRE(refused);
  CHECK(refused->cause == conflict_cause::gone);
  CHECK(state.inconsistent() == 0);
  state.set_capacity(0, slots(4));
  CHECK_FALSE(state.commit(slot_placement(2, 1, 0), 3));
  CHECK(state.commit(slot_placement(2, 2, 0), 3)->cause == conflict_cause::taken);
  CHECK(state.inconsistent() == 0);
}

TEST_CASE_FIXTURE(partition_capacity_fixture,
                  "the tasks granted last leave a machine that becomes too small") {
  const auto leaving = state.surplus(0, slots(1));
  REQUIRE(leaving.size() == 1);
  CHECK(state.task_at(leaving[0]).task == task_id{1, 1});
  CHECK(state.surplus(0, slots(2)).empty());
  CHECK(state.surplus(0, {}).size() == 2);
}

TEST_CASE_FIXTURE(partition_capacity_fixture,
                  "a machine that leaves and joins again is idle and has no old ends") {
  for (auto grant : state.surplus(0, {}))
    state.expel(grant, true);
  state.set_capacity(0, {});
  CHECK_FALSE(state.is_present(0));
  CHECK(state.present() == 1);
  CHECK(state.capacity().amount[3] == 4);
  CHECK(state.used().amount[3] == 1);
  CHECK(state.commit(slot_placement(2, 0, 0), 3)->cause == conflict_cause::gone);
  CHECK(state.inconsistent() == 0);
  state.set_capacity(0, slots(4));
  CHECK(state.present() == 2);
  CHECK_FALSE(state.commit(slot_placement(1, 0, 0), 3));
  const auto again = state.latest_grant();
  CHECK(again > 2); // the numbers of the tasks that left are not used before their ends came
  CHECK(state.settle_evicted(0, {1, 0}, 0));
  CHECK(state.settle_evicted(0, {1, 1}, 1));
  CHECK_FALSE(state.settle_evicted(0, {1, 0}, again));
  CHECK(state.end(0, {1, 0}, again));
  CHECK(state.inconsistent() == 0);
}

TEST_CASE("tasks of lower priority leave first where priorities are kept") {
  const auto machines = slot_catalog({1}, 1, 3);
  partition_state state{machines, 0, conflict_detection::fine, {true, 1}};
  auto important = slot_placement(1, 1, 0);
  important.priority = 5;
  state.commit(slot_placement(1, 0, 0), 0);
  state.commit(important, 0);
  const auto leaving = state.surplus(0, slots(1));
  REQUIRE(leaving.size() == 1);
  CHECK(state.task_at(leaving[0]).task == task_id{1, 0});
}
