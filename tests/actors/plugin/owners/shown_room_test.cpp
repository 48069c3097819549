#include "member_fixture.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

/// A plugin whose view learns from its own tasks alone.
struct own_tasks_fixture : member_fixture {
  explicit own_tasks_fixture(bool grows = false) : member_fixture(true, 1, grows) {}

  std::vector<machine_change> changes() {
    std::vector<machine_change> all;
    for (const auto& r : heard<task_report>())
      all.insert(all.end(), r.changes.begin(), r.changes.end());
    return all;
  }
};

struct growing_room_fixture : own_tasks_fixture {
  growing_room_fixture() : own_tasks_fixture(true) {}
};

} // namespace

TEST_CASE_FIXTURE(own_tasks_fixture,
                  "a plugin is told of the room of tasks that it does not know") {
  submit(slot_job(1, 1));
  resume(slot_job(2, 2), {{{2, 1}, 3}});
  auto told = changes();
  REQUIRE(told.size() == 1);
  CHECK(told[0].machine == 3);
  CHECK(told[0].gain == resources{} - one_slot);
  parts.room.vacate({2, 1}, 3);
  parts.room.occupy({1, 0}, 0); // the plugin knows it
  told = changes();
  REQUIRE(told.size() == 1);
  CHECK(told[0].gain == one_slot);
}

TEST_CASE_FIXTURE(own_tasks_fixture,
                  "a statement says what machines have, and what they have not") {
  parts.room.change({0, false, {}});
  CHECK(changes().at(0).gain == resources{} - resources::of_slots(2));
  owner_statement of_0{0, session_base(1, 1)};
  of_0.capacities = {{1, one_slot}};
  parts.room.state(of_0);
  auto told = changes();
  REQUIRE(told.size() == 2);
  CHECK(told[0].machine == 0);
  CHECK(told[0].gain == resources::of_slots(2)); // it has all again
  CHECK(told[1].machine == 1);
  CHECK(told[1].gain == resources{} - one_slot);
  parts.room.state(of_0);
  parts.room.state({1, session_base(1, 1)}); // another owner
  CHECK(changes().empty());
}

TEST_CASE_FIXTURE(member_fixture, "a plugin that gets snapshots is not told of room") {
  resume(slot_job(2, 2), {{{2, 1}, 3}});
  parts.room.change({0, false, {}});
  CHECK(heard<task_report>().empty());
}

TEST_CASE_FIXTURE(growing_room_fixture,
                  "in a cluster that grows, machines have nothing until they join") {
  owner_statement of_0{0, session_base(1, 1)};
  of_0.capacities = {{0, {}}, {1, one_slot}};
  parts.room.state(of_0);
  auto told = changes();
  REQUIRE(told.size() == 1);
  CHECK(told[0].machine == 1);
  CHECK(told[0].present);
  CHECK(told[0].gain == one_slot);
  parts.room.change({0, true, resources::of_slots(2)});
  told = changes();
  REQUIRE(told.size() == 1);
  CHECK(told[0].gain == resources::of_slots(2));
}
