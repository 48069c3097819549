#include "model/owner/partition_state.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace troupe;
using namespace troupe::testing;

namespace {

/// Partition 0 of two, with machines 0 to 2 of five; two slots each.
struct partition_state_fixture {
  catalog machines = slot_catalog({9, 6, 5, 8, 7}, 2, 2);
  partition_state fine{machines, 0, conflict_detection::fine};
  partition_state coarse{machines, 0, conflict_detection::coarse};
};

} // namespace

TEST_CASE_FIXTURE(partition_state_fixture, "placements are granted first come, first served") {
  CHECK_FALSE(fine.commit(slot_placement(1, 0, 0), 5));
  CHECK_FALSE(fine.commit(slot_placement(1, 1, 0), 6));
  const auto refused = fine.commit(slot_placement(2, 0, 0), 7);
  REQUIRE(refused);
  CHECK(refused->cause == conflict_cause::taken);
  CHECK(refused->winner == 6);
  CHECK(refused->free == resources{});
  CHECK(fine.running() == 2);
  CHECK_FALSE(fine.commit(slot_placement(2, 0, 1), 7));
}

TEST_CASE_FIXTURE(partition_state_fixture,
                  "a refusal tells what is free on the machine, and takes nothing") {
  REQUIRE_FALSE(fine.commit(slot_placement(1, 0, 0), 5));
  auto big = slot_placement(2, 0, 0);
  big.demand = resources::of_slots(2);
  const auto refused = fine.commit(big, 6);
  REQUIRE(refused);
  CHECK(refused->free == one_slot);
  CHECK(refused->winner == 5);
  CHECK(fine.free(0) == one_slot);
  CHECK(fine.running() == 1);
}

TEST_CASE_FIXTURE(partition_state_fixture, "a machine that nobody has claimed names no winner") {
  auto big = slot_placement(2, 0, 0);
  big.demand = resources::of_slots(3);
  const auto refused = fine.commit(big, 6);
  REQUIRE(refused);
  CHECK(refused->winner == no_scheduler);
}

TEST_CASE_FIXTURE(partition_state_fixture, "the winner is another scheduler if there was one") {
  REQUIRE_FALSE(fine.commit(slot_placement(1, 0, 0), 5));
  REQUIRE_FALSE(fine.commit(slot_placement(2, 0, 0), 6));
  CHECK(fine.commit(slot_placement(2, 1, 0), 6)->winner == 5);
  CHECK(fine.commit(slot_placement(1, 1, 0), 5)->winner == 6);
  CHECK(fine.commit(slot_placement(3, 0, 0), 7)->winner == 6);
  REQUIRE_FALSE(fine.commit(slot_placement(2, 2, 1), 6));
  REQUIRE_FALSE(fine.commit(slot_placement(2, 3, 1), 6));
  CHECK(fine.commit(slot_placement(2, 4, 1), 6)->winner == 6);
}

TEST_CASE_FIXTURE(partition_state_fixture, "an end frees what the task held, once") {
  REQUIRE_FALSE(fine.commit(slot_placement(1, 0, 0), 5));
  REQUIRE_FALSE(fine.commit(slot_placement(1, 1, 0), 6));
  const auto ran = fine.end(0, {1, 0});
  REQUIRE(ran);
  CHECK(ran->scheduler == 5);
  CHECK(ran->task == task_id{1, 0});
  CHECK(fine.free(0) == one_slot);
  CHECK_FALSE(fine.end(0, {1, 0}));
  CHECK_FALSE(fine.end(1, {1, 1}));
  CHECK(fine.running() == 1);
  CHECK_FALSE(fine.commit(slot_placement(3, 0, 0), 7));
}

TEST_CASE_FIXTURE(partition_state_fixture,
                  "coarse detection refuses where the machine was claimed meanwhile") {
  REQUIRE_FALSE(coarse.commit(slot_placement(1, 0, 0, 0), 5));
  const auto refused = coarse.commit(slot_placement(2, 0, 0, 0), 6);
  REQUIRE(refused); // though there is room
  CHECK(refused->cause == conflict_cause::changed);
  CHECK(refused->winner == 5);
  CHECK(refused->free == one_slot);
  CHECK(refused->version == 1);
  CHECK_FALSE(coarse.commit(slot_placement(2, 0, 0, refused->version), 6));
  CHECK(coarse.commit(slot_placement(3, 0, 0, 2), 6)->cause == conflict_cause::taken);
}

TEST_CASE_FIXTURE(partition_state_fixture, "an end is no claim") {
  REQUIRE_FALSE(coarse.commit(slot_placement(1, 0, 0, 0), 5));
  REQUIRE(coarse.end(0, {1, 0}));
  CHECK_FALSE(coarse.commit(slot_placement(2, 0, 0, 1), 6));
}

TEST_CASE_FIXTURE(partition_state_fixture,
                  "a machine that leaves takes its tasks along and refuses others") {
  REQUIRE_FALSE(fine.commit(slot_placement(1, 0, 1), 5));
  REQUIRE_FALSE(fine.commit(slot_placement(1, 1, 1), 6));
  REQUIRE_FALSE(fine.commit(slot_placement(1, 2, 2), 5));
  const auto lost = fine.remove(1);
  CHECK(lost.size() == 2);
  CHECK(fine.running() == 1);
  CHECK(fine.present() == 2);
  CHECK_FALSE(fine.is_present(1));
  CHECK(fine.free(1) == resources{});
  CHECK_FALSE(fine.end(1, {1, 0}));
  const auto refused = fine.commit(slot_placement(2, 0, 1), 6);
  REQUIRE(refused);
  CHECK(refused->cause == conflict_cause::gone);
  CHECK(refused->free == resources{});
  CHECK(fine.remove(1).empty());
  CHECK(fine.inconsistent() == 0);

  fine.restore(1);
  CHECK(fine.is_present(1));
  CHECK(fine.free(1) == resources::of_slots(2));
  CHECK_FALSE(fine.commit(slot_placement(2, 0, 1), 6));
  fine.restore(1);
  CHECK(fine.free(1) == one_slot);
  CHECK(fine.inconsistent() == 0);
}

TEST_CASE_FIXTURE(partition_state_fixture,
                  "coarse detection notices that a machine has left and come back") {
  coarse.remove(0);
  coarse.restore(0);
  const auto refused = coarse.commit(slot_placement(1, 0, 0, 0), 5);
  REQUIRE(refused);
  CHECK(refused->cause == conflict_cause::changed);
}

TEST_CASE_FIXTURE(partition_state_fixture,
                  "utilization is the share of the present capacity in use") {
  CHECK(fine.utilization() == 0);
  REQUIRE_FALSE(fine.commit(slot_placement(1, 0, 0), 5));
  REQUIRE_FALSE(fine.commit(slot_placement(1, 1, 1), 5));
  CHECK(fine.utilization() == doctest::Approx(2.0 / 6));
  fine.remove(1);
  CHECK(fine.utilization() == doctest::Approx(1.0 / 4));
  fine.remove(0);
  fine.remove(2);
  CHECK(fine.utilization() == 0);
}

TEST_CASE("with several kinds of resource utilization is that of the scarcest") {
  const catalog machines{
    {{cpu_and_memory(4000, 8000), 1, 0}}, {{"default", {}}}, 1, cpu_and_memory(1000, 0)};
  partition_state state{machines, 0, conflict_detection::fine};
  placement p{{1, 0}, 0, 0, cpu_and_memory(1000, 6000), duration{1}};
  REQUIRE_FALSE(state.commit(p, 1));
  CHECK(state.utilization() == 0.75);
  p.task.index = 1;
  const auto refused = state.commit(p, 1);
  REQUIRE(refused);
  CHECK(refused->free == cpu_and_memory(3000, 2000));
}

TEST_CASE("what is free is stranded where the fragment does not fit any more") {
  const catalog machines{{{cpu_and_memory(4000, 8000), 1, 0}, {cpu_and_memory(4000, 8000), 1, 0}},
                         {{"default", {}}},
                         1,
                         cpu_and_memory(100, 100),
                         {},
                         cpu_and_memory(1000, 2000)};
  partition_state state{machines, 0, conflict_detection::fine};
  const resource_sum nothing{};
  CHECK(state.stranded() == nothing);
  REQUIRE_FALSE(state.commit({{1, 0}, 0, 0, cpu_and_memory(1000, 6001), duration{1}}, 1));
  CHECK(state.stranded() == resource_sum{{3000, 1999, 0, 0}});
  CHECK(state.used() == resource_sum{{1000, 6001, 0, 0}});
  CHECK(state.capacity() == resource_sum{{8000, 16000, 0, 0}});
  state.end(0, {1, 0});
  CHECK(state.stranded() == nothing);
}

TEST_CASE_FIXTURE(partition_state_fixture,
                  "a snapshot shows the state at its moment, with versions if coarse") {
  REQUIRE_FALSE(fine.commit(slot_placement(1, 0, 1), 5));
  const auto s = fine.snapshot(duration{17});
  REQUIRE_FALSE(fine.commit(slot_placement(1, 1, 1), 5));
  CHECK(s.partition == 0);
  CHECK(s.taken_at == duration{17});
  CHECK(s.free == std::vector<std::int32_t>{2, 1, 2});
  CHECK(s.versions.empty());

  REQUIRE_FALSE(coarse.commit(slot_placement(1, 0, 1), 5));
  CHECK(coarse.snapshot(duration{17}).versions == std::vector<std::uint32_t>{0, 1, 0});
}

TEST_CASE_FIXTURE(partition_state_fixture,
                  "a machine of another partition is refused by an exception") {
  CHECK_THROWS_AS(fine.commit(slot_placement(1, 0, 3), 5), std::invalid_argument);
  CHECK_THROWS_AS(fine.end(3, {1, 0}), std::invalid_argument);
  CHECK_THROWS_AS(fine.remove(4), std::invalid_argument);
  CHECK_THROWS_AS(fine.free(99), std::invalid_argument);
}
