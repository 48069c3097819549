#include "actors/scheduler/recovery/task_locations.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace troupe {

void task_locations::locate(const task_id& task, machine_id machine) {
  auto& books = *tables_.failover;
  if (books.taking_over())
    return;
  if (!books.left.empty()) {
    const auto of =
      std::ranges::find(books.left, task.job, [](const auto& j) { return j.what.id; });
    if (of != books.left.end() && !std::ranges::binary_search(of->over, task.index)) {
      books.running[task] = machine;
      auto job = std::move(*of);
      books.left.erase(of);
      intake_.resume(job);
      return;
    }
  }
  if (books.unsure.erase(task) == 0)
    return;
  const auto before = std::exchange(books.running.at(task), machine);
  if (before == failover_books::somewhere) {
    if (auto* records = tables_.records())
      records->move(task, machine);
    intake_.resume_running({task, machine});
    return;
  }
  tables_.counters.found(tables_.waiting.jobs().find_job(task.job)->group);
  if (before != machine)
    move(task, before, machine);
}

void task_locations::locate_all(const owner_statement& statement) {
  tables_.failover->locate_all(
    statement, [this](const task_id& task, machine_id machine) { locate(task, machine); });
}

void task_locations::move(const task_id& task, machine_id from, machine_id to) {
  const auto what = *tables_.waiting.jobs().find(task);
  if (auto* records = tables_.records())
    records->move(task, to);
  tables_.rules.leave(*what.of, from);
  tables_.rules.enter(*what.of, to);
  if (tables_.setup.learns_from_own_tasks())
    tables_.charged.move(what, from, to);
}

bool task_locations::forget(const task_id& task, machine_id machine) {
  locate(task, machine);
  const auto it = tables_.failover->running.find(task);
  if (it == tables_.failover->running.end() || it->second != machine)
    return false;
  tables_.failover->running.erase(it);
  return true;
}

void task_locations::put_back(const task_id& task) {
  const auto since = tables_.failover->unsure.extract(task).mapped();
  const auto at = tables_.failover->running.extract(task).mapped();
  ends_.put_back(task, at == failover_books::somewhere ? std::nullopt : std::optional{at}, since);
}

void task_locations::settle_unsure() {
  auto& books = *tables_.failover;
  if (!books.partial.empty())
    return;
  for (auto& left : std::exchange(books.left, {}))
    intake_.resume(left);
  for (const auto& [task, since] : std::map(books.unsure))
    put_back(task);
}

} // namespace troupe
