#include "actors/scheduler/view/line_capacity.hpp"
#include "support/scheduler_fixture.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE(
  "in a cluster that grows, others hold what machines have, and not what a place may hold") {
  auto machines = growing_catalog(4, 2, 2);
  std::vector<placement_outcome> told;
  scheduler_parts parts{5,
                        machines,
                        {0, 1},
                        std::make_unique<best_score>(told),
                        small_limits(),
                        random_stream{1},
                        instant{0},
                        0,
                        {}};
  line_capacity room{parts.setup, parts.charged};
  constexpr resource kinds[] = {resource::slots};
  start_queue queue{start_discipline::easy, {}, kinds};
  const auto expected_start = [&](instant now) {
    room.bring_up_to_date(queue, now);
    REQUIRE_FALSE(queue.next(now));
    return queue.reserved_at({1, 0});
  };
  start_request two;
  two.first = {1, 0};
  two.need = resource_sum{} + resources::of_slots(2);
  two.estimate = 5s;
  queue.add(two, instant{0});
  CHECK(expected_start(instant{0}) == far_future); // no machine has joined
  machines.growth()->set({{3, {resources::of_slots(2), {}}}});
  CHECK(expected_start(instant{1s}) == instant{6s}); // the view knows of nothing free there
  machines.growth()->set({{3, {}, true}});
  CHECK(expected_start(instant{2s}) == far_future);
}
