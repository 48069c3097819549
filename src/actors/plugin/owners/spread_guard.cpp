#include "actors/plugin/owners/spread_guard.hpp"

#include <algorithm>

namespace troupe {

/// Whether a task is another one of a job, and the plugin does not know that.
bool spread_guard::is_other(const task_id& other, const task_id& task) const {
  return other.job == task.job && other != task && !tables_.books.jobs.knows_together(other, task);
}

bool spread_guard::goes_there(const plugin_commit& commit, const task_id& task,
                              machine_id machine) const {
  const auto& placements = commit.what.placements;
  return std::ranges::any_of(
           placements,
           [&](const placement& p) { return p.machine == machine && is_other(p.task, task); }) ||
         std::ranges::any_of(commit.what.alternatives, [&](const alternative& a) {
           return a.machine == machine && is_other(placements[a.index].task, task);
         });
}

bool spread_guard::has_beside(const task_id& task, machine_id machine) const {
  const auto& running = tables_.failover.running;
  for (auto it = running.lower_bound({task.job, 0});
       it != running.end() && it->first.job == task.job; ++it)
    if (it->second == machine && is_other(it->first, task))
      return true;
  return tables_.commits.any([&](const plugin_commit& c) { return goes_there(c, task, machine); });
}

std::vector<rejection> spread_guard::keep_apart(commit_request& wanted) const {
  const auto& placements = wanted.placements;
  const auto is_beside = [&](std::uint32_t index, machine_id machine) {
    const auto& task = placements[index].task;
    return tables_.books.jobs.find(task.job)->spread &&
           (has_beside(task, machine) ||
            std::any_of(placements.begin(), placements.begin() + index, [&](const placement& p) {
              return p.machine == machine && is_other(p.task, task);
            }));
  };
  std::erase_if(wanted.alternatives,
                [&](const alternative& a) { return is_beside(a.index, a.machine); });
  std::vector<rejection> refused;
  for (std::uint32_t i = 0; i < placements.size(); ++i)
    if (is_beside(i, placements[i].machine))
      refused.push_back({i, conflict_cause::taken, tables_.setup.rules.id, 0, {}});
  if (refused.empty() || wanted.mode == commit_mode::each)
    return refused;
  std::vector<rejection> all;
  for (std::uint32_t i = 0; i < placements.size(); ++i)
    all.push_back({i, conflict_cause::aborted, no_scheduler, 0, {}});
  for (const auto& no : refused)
    all[no.index] = no;
  return all;
}

} // namespace troupe
