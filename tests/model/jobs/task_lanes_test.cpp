#include "model/jobs/task_lanes.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

std::vector<task_id> take_all(task_lanes& queue) {
  std::vector<task_id> out;
  while (queue.has_next())
    out.push_back(queue.take_head().task);
  return out;
}

} // namespace

TEST_CASE("tasks put back go first, tasks put at the back last") {
  const auto a = slot_job(1, 3);
  const auto b = slot_job(2, 1);
  task_lanes queue{duration{0}, nullptr};
  queue.add(a, 0, 0, 3, 0s);
  const auto first = queue.take_head();
  CHECK(first.opens_job);
  const auto second = queue.take_head();
  queue.put_at_back(first);
  queue.add(b, 0, 0, 1, 4s);
  queue.put_back(second);
  CHECK(queue.size() == 4);
  CHECK(queue.position_of(a, {1, 0})->ahead == 2);
  CHECK(queue.position_of(b, {2, 0})->ahead == 3);
  CHECK(take_all(queue) == std::vector<task_id>{{1, 1}, {1, 2}, {1, 0}, {2, 0}});
  CHECK(queue.size() == 0);
  CHECK_FALSE(queue.position_of(a, {1, 0}));
}

TEST_CASE("each priority has a lane, and empty ones go") {
  std::vector<job> jobs;
  for (job_id id = 0; id < 3; ++id) {
    jobs.push_back(slot_job(id, 1));
    jobs.back().priority = static_cast<std::int32_t>(id);
  }
  task_lanes queue{duration{0}, nullptr};
  queue.add(jobs[0], 0, 0, 1, 0s);
  queue.add(jobs[2], 0, 0, 1, 0s);
  CHECK(queue.lanes() == 2);
  CHECK(queue.position_of(jobs[0], {0, 0})->higher == 1);
  CHECK(queue.take_head().task.job == 2);
  CHECK(queue.take_head().task.job == 0);
  queue.add(jobs[1], 0, 0, 1, 0s);
  CHECK(queue.lanes() == 2); // its own, and the one that the last task was taken from
}

TEST_CASE("all tasks of a job are dropped, wherever they are") {
  const auto a = slot_job(1, 4);
  const auto b = slot_job(2, 2);
  task_lanes queue{duration{0}, nullptr};
  queue.add(a, 0, 0, 4, 0s);
  const auto first = queue.take_head();
  const auto second = queue.take_head();
  queue.add(b, 0, 0, 2, 0s);
  queue.put_at_back(first);
  queue.put_back(second);
  CHECK(queue.drop(a).size() == 4);
  CHECK(take_all(queue) == std::vector<task_id>{{2, 0}, {2, 1}});
}

TEST_CASE("tasks that were released later than submitted count as submitted then") {
  const auto a = slot_job(1, 2, 1s);
  task_lanes queue{duration{0}, nullptr};
  queue.add(a, 0, 0, 2, 7s);
  std::uint32_t seen = 0;
  queue.visit([&](const job& of, instant since, std::uint32_t count) {
    CHECK(of.id == 1);
    CHECK(since == 7s);
    seen += count;
  });
  CHECK(seen == 2);
  CHECK(queue.head().submitted == 7s);
}
