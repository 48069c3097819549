#include "actors/plugin/queues/reservation_names.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <chrono>

using namespace troupe;
using namespace troupe::testing;

TEST_CASE("a job that the plugin was given as it is has the same name for machines") {
  plugin_jobs jobs;
  const reservation_names names{jobs};
  CHECK_FALSE(names.named({1, 0}));
  jobs.add(slot_job(1, 2));
  CHECK(names.named({1, 0}) == reserved_group{1, 0});
  CHECK(names.seen({1, 0}) == reserved_group{1, 0});
  CHECK_FALSE(names.named({1, 1})); // it has one group
  CHECK(names.tasks_of({1, 0}).count == 2);
}

TEST_CASE("machines know a part of a job by the job and a number of the part") {
  plugin_jobs jobs;
  const reservation_names names{jobs};
  auto j = slot_job(1, 2);
  j.groups.push_back({1, resources::of_slots(2), {std::chrono::seconds{1}}});
  const auto parts = jobs.resume({j}, [](const task_id& t) { return t.index == 0; });
  REQUIRE(parts.size() == 2);
  const auto first = names.named({parts[0].id, 0});
  const auto second = names.named({parts[1].id, 0});
  REQUIRE(first);
  REQUIRE(second);
  CHECK(first->job == 1);
  CHECK(first->group != second->group);
  CHECK(names.seen(*second) == reserved_group{parts[1].id, 0});
  CHECK(names.tasks_of(*second).demand == resources::of_slots(2));
  for (std::uint32_t i = 0; i < 3; ++i)
    jobs.close({1, i}, instant{0}, task_fate::finished);
  CHECK_FALSE(names.seen(*second));
}
