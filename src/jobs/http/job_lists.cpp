#include "jobs/http/job_lists.hpp"

#include <algorithm>

namespace troupe {

namespace {

constexpr std::uint32_t most_looked_at = 100'000;

std::uint32_t end_of(const std::vector<group_row>& groups) {
  return groups.empty() ? 0 : groups.back().first_task + groups.back().tasks;
}

} // namespace

task_page tasks_of(job_database& store, std::uint64_t job, const std::vector<group_row>& groups,
                   std::uint32_t from, std::optional<task_state> state, std::size_t limit) {
  task_page page;
  const auto end = end_of(groups);
  const auto to =
    static_cast<std::uint32_t>(std::min<std::uint64_t>(end, std::uint64_t{from} + most_looked_at));
  const auto rows = store.tasks(job, from, to, std::nullopt, to > from ? to - from : 0);
  auto row = rows.begin();
  auto group = groups.begin();
  for (auto n = from; n < to; ++n) {
    if (page.tasks.size() == limit) {
      page.next = n;
      return page;
    }
    while (n >= group->first_task + group->tasks)
      ++group;
    task_row task;
    if (row != rows.end() && row->task == n) {
      task = *row++;
    } else {
      task.job = job;
      task.task = n;
      task.group = group->number;
      task.state = group->rest;
      task.reason = group->rest_reason;
    }
    if (!state || *state == task.state)
      page.tasks.push_back(std::move(task));
  }
  if (to < end)
    page.next = to;
  return page;
}

} // namespace troupe
