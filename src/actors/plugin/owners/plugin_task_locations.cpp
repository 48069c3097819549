#include "actors/plugin/owners/plugin_task_locations.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace troupe {

void plugin_task_locations::locate(const task_id& task, machine_id machine) {
  auto& failover = tables_.failover;
  if (failover.taking_over())
    return;
  auto& left = failover.left;
  const auto of = std::ranges::find(left, task.job, [](const auto& j) { return j.what.id; });
  if (of != left.end() && !std::ranges::binary_search(of->over, task.index)) {
    failover.running[task] = machine;
    auto job = std::move(*of);
    left.erase(of);
    intake_.resume(std::move(job));
    return;
  }
  if (failover.unsure.erase(task) == 0)
    return;
  const auto before = std::exchange(failover.running.at(task), machine);
  if (tables_.records && before != machine)
    tables_.records->move(task, machine);
  if (before != failover_books::somewhere) {
    ++tables_.book_of(task).counts.placed;
    return;
  }
  tables_.granted.begin(task);
  room_.occupy(task, machine);
}

bool plugin_task_locations::forget(const task_id& task, machine_id machine) {
  locate(task, machine);
  auto& running = tables_.failover.running;
  const auto it = running.find(task);
  if (it == running.end() || it->second != machine)
    return false;
  running.erase(it);
  return true;
}

void plugin_task_locations::locate_all(const owner_statement& statement) {
  tables_.failover.locate_all(
    statement, [this](const task_id& task, machine_id machine) { locate(task, machine); });
}

void plugin_task_locations::put_back(const task_id& task, instant now) {
  tables_.failover.unsure.erase(task);
  tables_.failover.running.erase(task);
  ends_.put_back(task, now);
}

void plugin_task_locations::settle_unsure(instant now) {
  auto& failover = tables_.failover;
  if (!failover.partial.empty())
    return;
  for (auto& left : std::exchange(failover.left, {}))
    intake_.resume(std::move(left));
  for (const auto& [task, _] : std::map(failover.unsure))
    put_back(task, now);
}

} // namespace troupe
