#include "queue_fixture.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

struct growing_queue_fixture : queue_fixture {
  growing_queue_fixture() : queue_fixture(true) {}
};

} // namespace

TEST_CASE_FIXTURE(queue_fixture,
                  "a machine that is gone has nothing, and returns with what it says") {
  submit(slot_job(1, 1));
  parts.moves.asked({1, 0, 2, 2, 0}, out);
  parts.told.take();
  parts.changes.remove(2, at_1s, out);
  CHECK(heard<capacity_notice>().at(0).capacity.is_zero());
  CHECK_FALSE(parts.requests.has(2, {1, 0}));
  CHECK(parts.notices.is_void(2));
  const capacity_notice notice{2, one_slot, 5};
  parts.changes.restore(2, out, &notice);
  CHECK(heard<capacity_notice>().at(0).capacity == one_slot);
  REQUIRE(out.heard.size() == 1);
  CHECK(out.heard[0].second.number == 5);
  parts.changes.restore(9, out, nullptr); // there is no such machine
  parts.changes.remove(9, at_1s, out);
  CHECK(parts.told.take().empty());
}

TEST_CASE_FIXTURE(queue_fixture, "the machine is told that the plugin has heard of its capacity") {
  submit(slot_job(1, 2));
  send({1, 0}, 2);
  send({1, 1}, 3);
  parts.changes.set_capacity({2, {}, 7}, out);
  CHECK(out.heard.empty());
  CHECK(counts().in_commit == 2);
  parts.changes.hear(2, 1, out);
  REQUIRE(out.heard.size() == 1);
  CHECK(out.heard[0].second.number == 7);
  CHECK(counts().in_commit == 1);
  CHECK(counts().queued == 1);
}

TEST_CASE_FIXTURE(queue_fixture, "changes of a machine that is drained do not reach the plugin") {
  parts.changes.retire(2);
  parts.changes.retire(2);
  CHECK(heard<capacity_notice>().size() == 1);
  parts.changes.set_capacity({2, one_slot, 3}, out);
  CHECK(parts.told.take().empty());
  CHECK(out.heard.size() == 1);
}

TEST_CASE_FIXTURE(growing_queue_fixture,
                  "a plugin is told again of the machines whose attributes have changed") {
  parts.changes.remove(1, at_1s, out);
  parts.told.take();
  parts.changes.catch_up();
  CHECK(parts.told.take().empty());
  const machine_description host{{}, {{"zone", "a"}}};
  machines.growth()->set({{1, host}, {2, host}});
  parts.changes.catch_up();
  const auto notices = heard<capacity_notice>();
  REQUIRE(notices.size() == 1); // the other machine has nothing
  CHECK(notices[0].machine == 2);
  CHECK(notices[0].capacity == resources::of_slots(2));
  parts.changes.catch_up();
  CHECK(parts.told.take().empty());
}
