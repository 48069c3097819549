#include "actors/plugin/queues/machine_drains.hpp"

namespace troupe {

void machine_drains::begin(machine_id machine) {
  auto& still = waiting_[machine];
  for (const auto& task : tables_.sent.on(machine))
    if (tables_.books.jobs.is_at(task, plugin_jobs::place::in_commit) &&
        !apart_.keeps(task, machine))
      still.insert(task);
  apart_.forget(machine);
  settle(machine);
}

void machine_drains::started(const task_id& task, machine_id machine) {
  take_back(task, machine);
  settle(machine);
}

void machine_drains::take_back(const task_id& task, machine_id machine) {
  if (const auto leaving = waiting_.find(machine); leaving != waiting_.end())
    leaving->second.erase(task);
}

void machine_drains::settle(machine_id machine) {
  const auto it = waiting_.find(machine);
  if (it == waiting_.end() || !it->second.empty())
    return;
  waiting_.erase(it);
  if (!tables_.notices.told(machine).is_zero())
    tables_.notices.tell(machine, {});
}

} // namespace troupe
