#include "actors/scheduler/view/line_capacity.hpp"
#include "support/scheduler_fixture.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

constexpr resource slots_only[] = {resource::slots};

/// A scheduler of a cluster to which machines come, and what it tells a queue.
struct growing_cluster {
  catalog machines = growing_catalog(4, 2, 2);
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
};

start_request request_for(job_id job, std::int32_t slots) {
  start_request made;
  made.first = {job, 0};
  made.need = resource_sum{} + resources::of_slots(slots);
  made.estimate = 5s;
  return made;
}

} // namespace

TEST_CASE(
  "in a cluster that grows, others hold what machines have, and not what a place may hold") {
  growing_cluster at;
  start_queue queue{start_discipline::easy, {}, slots_only};
  const auto expected_start = [&](instant now) {
    at.room.bring_up_to_date(queue, now);
    REQUIRE_FALSE(queue.next(now));
    return queue.reserved_at({1, 0});
  };
  queue.add(request_for(1, 2), instant{0});
  CHECK(expected_start(instant{0}) == far_future); // no machine has joined
  at.machines.growth()->set({{3, {resources::of_slots(2), {}}}});
  CHECK(expected_start(instant{1s}) == instant{6s}); // the view knows of nothing free there
  at.machines.growth()->set({{3, {}, true}});
  CHECK(expected_start(instant{2s}) == far_future);
}

TEST_CASE("in a cluster that grows, sizes are shares of the machines that have joined") {
  growing_cluster at;
  start_ordering by{.order = start_order::multifactor};
  by.factors = {.age = 0, .size = 1, .share = 0, .priority = 0};
  start_queue queue{start_discipline::easy, by, slots_only};
  const auto first_of_two = [&](instant now) {
    at.room.bring_up_to_date(queue, now);
    queue.next(now);
    return queue.position_of({1, 0}) == 0 ? 1 : 2;
  };
  queue.add(request_for(1, 1), instant{0});
  queue.add(request_for(2, 2), instant{0});
  CHECK(first_of_two(instant{1s}) == 1); // no machine has joined
  at.machines.growth()->set({{3, {resources::of_slots(2), {}}}});
  CHECK(first_of_two(instant{2s}) == 2);
}
