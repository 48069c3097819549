#include "actors/scheduler/view/machine_capacities.hpp"
#include "support/scheduler_fixture.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE("what machines have changes the view by the difference") {
  scheduler_fixture all{small_limits(view_source::own_tasks)};
  auto& capacities = all.parts.capacities;
  const auto free = [&](machine_id m) { return all.parts.charged.seen().free(m); };
  capacities.keep();
  capacities.change({1, true, resources{} - one_slot});
  CHECK(free(1) == one_slot);
  CHECK(capacities.reduced(1));
  owner_statement statement{0, session_base(1, 1)};
  statement.capacities = {{0, one_slot}};
  capacities.state(statement); // machine 1 has all again
  CHECK(free(0) == one_slot);
  CHECK(free(1) == resources::of_slots(2));
  CHECK(capacities.reduced(0));
  CHECK_FALSE(capacities.reduced(1));
  capacities.state({1, session_base(1, 1)}); // of another owner
  CHECK(capacities.reduced(0));
}

TEST_CASE_FIXTURE(scheduler_fixture, "a view that is refreshed is not told of capacities") {
  parts.capacities.change({1, false});
  CHECK(parts.charged.seen().free(1) == resources::of_slots(2));
}
