#include "actors/plugin/owners/plugin_job_intake.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace troupe {

void plugin_job_intake::submit(const std::vector<kept_job>& delivered) {
  std::vector<job> jobs;
  for (const auto& j : delivered) {
    if (tables_.records)
      tables_.records->submit(j.what);
    jobs.push_back(j.what);
  }
  tables_.told.submit(tables_.books.add(std::move(jobs)));
}

plugin_job_intake::running_tasks plugin_job_intake::find_running(const kept_job& left) {
  auto& failover = tables_.failover;
  running_tasks found;
  for (std::uint32_t i = 0; i < left.what.task_count(); ++i) {
    const task_id task{left.what.id, i};
    if (std::ranges::binary_search(left.over, i))
      continue;
    if (const auto at = failover.running.find(task); at != failover.running.end()) {
      found.placed.push_back({task, at->second});
    } else if (!failover.partial.empty()) {
      failover.running[task] = failover_books::somewhere;
      failover.unsure.emplace(task, left.what.submitted);
      found.unsure.push_back({task, no_machine});
    }
  }
  return found;
}

void plugin_job_intake::resume(kept_job left) {
  auto& failover = tables_.failover;
  for (const auto i : left.over)
    failover.running.erase({left.what.id, i});
  auto [placed, unsure] = find_running(left);
  tables_.books.count_left(left, placed.size() + unsure.size());
  if (tables_.records) {
    std::ranges::copy(placed, std::back_inserter(unsure));
    tables_.records->resume(left, unsure);
  }
  tables_.told.submit(tables_.books.jobs.resume(
    std::move(left), [&](const task_id& task) { return failover.running.contains(task); }));
  for (const auto& [task, machine] : placed) {
    tables_.granted.begin(task);
    room_.occupy(task, machine);
  }
}

} // namespace troupe
