#include "actors/plugin/queues/entries_kept_apart.hpp"

#include <algorithm>

namespace troupe {

bool entries_kept_apart::has_beside(const task_id& task, machine_id machine) const {
  const auto& jobs = tables_.books.jobs;
  if (!jobs.find(task.job)->spread)
    return false;
  const auto& there = tables_.sent.on(machine);
  for (auto it = there.lower_bound({task.job, 0}); it != there.end() && it->job == task.job; ++it)
    if (*it != task && !jobs.knows_together(*it, task) && !keeps(*it, machine))
      return true;
  return false;
}

bool entries_kept_apart::keeps(const task_id& task, machine_id machine) const {
  const auto there = kept_.find(machine);
  return there != kept_.end() && std::ranges::any_of(there->second, [&](const queue_entry& e) {
           return e.order.task == task;
         });
}

void entries_kept_apart::take_back(const task_id& task, machine_id machine) {
  if (const auto there = kept_.find(machine); there != kept_.end())
    std::erase_if(there->second, [&](const queue_entry& e) { return e.order.task == task; });
}

void entries_kept_apart::release(machine_id machine, sparrow_outbox& out) {
  const auto there = kept_.find(machine);
  if (there == kept_.end())
    return;
  auto& kept = there->second;
  for (auto it = kept.begin(); it != kept.end();)
    if (has_beside(it->order.task, machine)) {
      ++it;
    } else {
      out.entries.emplace_back(machine, *it);
      it = kept.erase(it);
    }
  if (kept.empty())
    kept_.erase(there);
}

} // namespace troupe
