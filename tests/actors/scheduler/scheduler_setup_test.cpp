#include "actors/scheduler/scheduler_setup.hpp"
#include "support/scheduler_fixture.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE("a scheduler waits for refreshes only if its view is refreshed") {
  const auto machines = even_catalog(2, 2, 1);
  auto limits = small_limits(view_source::own_tasks);
  limits.retry.wait_for_refresh = true;
  CHECK_FALSE(scheduler_setup(0, machines, {0, 1}, limits).limits.retry.wait_for_refresh);
  limits.source = view_source::snapshots;
  CHECK(scheduler_setup(0, machines, {0, 1}, limits).limits.retry.wait_for_refresh);
}

TEST_CASE("a setup knows owners by machine and decision times by group of jobs") {
  const auto machines = even_catalog(4, 2, 1);
  auto limits = small_limits();
  limits.code_paths = {{20ms, 1ms}};
  const scheduler_setup setup{0, machines, {2, 1}, limits};
  CHECK(setup.owner_of_machine(0) == 2);
  CHECK(setup.owner_of_machine(3) == 1);
  CHECK(setup.owners() == 3);
  CHECK(setup.decision_time_of(0, true) == 21ms);
  CHECK(setup.decision_time_of(1, true) == 12ms);
  CHECK(setup.decision_time_of(1, false) == 2ms);
}
