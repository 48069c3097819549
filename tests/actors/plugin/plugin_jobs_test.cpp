#include "actors/plugin/plugin_jobs.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;

using place = plugin_jobs::place;

TEST_CASE("a plugin knows that tasks are of one job if it was given them as one") {
  plugin_jobs jobs;
  jobs.add(slot_job(1, 2));
  CHECK(jobs.knows_together({1, 0}, {1, 1}));
  const auto parts = jobs.resume({slot_job(2, 3)}, [](const task_id& t) { return t.index == 0; });
  REQUIRE(parts.size() == 1);
  CHECK_FALSE(jobs.knows_together({2, 0}, {2, 1}));
  CHECK(jobs.knows_together({2, 1}, {2, 2}));
  jobs.put_back({2, 0});
  jobs.release(2);
  CHECK_FALSE(jobs.knows_together({2, 0}, {2, 1})); // another part
  CHECK_FALSE(jobs.knows_together({1, 0}, {2, 1}));
}

TEST_CASE("a task of a job that is over is at no place") {
  plugin_jobs jobs;
  CHECK_FALSE(jobs.is_at({1, 0}, place::queued));
  jobs.add(slot_job(1, 1));
  CHECK(jobs.is_at({1, 0}, place::queued));
  jobs.at({1, 0}).at = place::running;
  CHECK_FALSE(jobs.is_at({1, 0}, place::queued));
  jobs.close({1, 0}, instant{0}, task_fate::finished);
  CHECK_FALSE(jobs.is_at({1, 0}, place::running));
}
