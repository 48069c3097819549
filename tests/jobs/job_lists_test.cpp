#include "jobs/http/job_lists.hpp"
#include "service_fixture.hpp"

using namespace troupe;
using namespace troupe::test;

TEST_CASE("a page of tasks is read without the rest of the job") {
  served_jobs at;
  constexpr std::uint32_t count = 100;
  auto job = new_job(1, count);
  for (std::uint32_t t = 0; t < count; t += 2)
    job.tasks.push_back(
      {1, t, 0, t % 10 == 0 ? task_state::failed : task_state::succeeded, 1, 0, 0, "why"});
  at.store->commit(job);
  const auto read = [&](std::uint32_t from, std::optional<task_state> state, std::size_t limit) {
    at.store->task_rows = 0;
    return tasks_of(*at.store, 1, at.store->groups(1), from, state, limit);
  };
  const auto first = read(0, std::nullopt, 4);
  CHECK(at.store->task_rows == 2);
  REQUIRE(first.tasks.size() == 4);
  CHECK(first.tasks[1].state == task_state::queued);
  CHECK(first.tasks[2].state == task_state::succeeded);
  CHECK(first.next == 4);
  CHECK_FALSE(read(96, std::nullopt, 4).next);
  CHECK(read(200, std::nullopt, 4).tasks.empty());

  const auto failed = read(1, task_state::failed, 3);
  CHECK(at.store->task_rows == 3);
  REQUIRE(failed.tasks.size() == 3);
  CHECK(failed.tasks[0].task == 10);
  CHECK(failed.tasks[0].reason == "why");
  CHECK(failed.next == 31);
  CHECK(read(31, task_state::failed, 6).next == 91);
  CHECK_FALSE(read(31, task_state::failed, 7).next);
  CHECK(read(91, task_state::failed, 3).tasks.empty());
  const auto queued = read(0, task_state::queued, 3);
  CHECK(queued.tasks.back().task == 5);
  CHECK(queued.next == 6);
}
