#include "jobs/http/job_lists.hpp"

#include <algorithm>

namespace troupe {

namespace {

constexpr std::uint32_t most_looked_at = 100'000;

std::uint32_t end_of(const std::vector<group_row>& groups) {
  return groups.empty() ? 0 : groups.back().first_task + groups.back().tasks;
}

/// Tasks in a state that only tasks with a row of their own have.
task_page rows_in(task_state state, job_database& store, std::uint64_t job, std::uint32_t from,
                  std::uint32_t end, std::size_t limit) {
  task_page page{store.tasks(job, from, end, state, limit), std::nullopt};
  if (page.tasks.size() == limit && page.tasks.back().task + 1 < end)
    page.next = page.tasks.back().task + 1;
  return page;
}

} // namespace

task_page tasks_of(job_database& store, std::uint64_t job, const std::vector<group_row>& groups,
                   std::uint32_t from, std::optional<task_state> state, std::size_t limit) {
  task_page page;
  const auto end = end_of(groups);
  if (state && std::ranges::find(groups, *state, &group_row::rest) == groups.end())
    return rows_in(*state, store, job, from, end, limit);
  const std::uint64_t looks = state ? most_looked_at : std::min<std::size_t>(limit, most_looked_at);
  const auto to = static_cast<std::uint32_t>(std::min<std::uint64_t>(end, from + looks));
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
