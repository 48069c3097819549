#include "actors/scheduler_core.hpp"

#include <algorithm>

// What a scheduler knows of tasks that may run on machines that their owners do not know yet: that
// part of scheduler_core. They count as running until they are found, or nobody can run them.
namespace troupe {

/// Notes where a task is, or was until it ended, of which that was not sure.
void scheduler_core::locate(const task_id& task, machine_id machine) {
  auto& books = *survival_;
  if (books.taking_over())
    return;
  if (!books.left.empty()) {
    const auto of =
      std::ranges::find(books.left, task.job, [](const auto& j) { return j.what.id; });
    if (of != books.left.end() && !std::ranges::binary_search(of->over, task.index)) {
      books.running[task] = machine;
      auto job = std::move(*of);
      books.left.erase(of);
      resume(job);
      return;
    }
  }
  if (books.unsure.erase(task) == 0)
    return;
  const auto before = std::exchange(books.running.at(task), machine);
  if (before == survival_books::somewhere) {
    resume_running({task, machine});
    return;
  }
  ++book_of(*jobs_.find(task)).counts.placed;
  if (before != machine)
    move(task, before, machine);
}

void scheduler_core::locate_all(const owner_statement& statement) {
  auto& books = *survival_;
  // The first task of a job that is found says nothing of the others.
  books.partial.insert(statement.owner);
  for (const auto& r : statement.running)
    locate(r.task, r.machine);
  for (const auto& e : statement.ended)
    locate(e.task, e.machine);
  if (statement.unknown.empty())
    books.partial.erase(statement.owner);
}

/// Moves the charge of a task to the machine that it is on instead.
void scheduler_core::move(const task_id& task, machine_id from, machine_id to) {
  const auto what = *jobs_.find(task);
  rules_.leave(*what.of, from);
  rules_.enter(*what.of, to);
  if (limits_.source != view_source::own_tasks)
    return;
  view_.give(from, what.demand);
  view_.take(to, what.demand);
  if (!reclaim_)
    return;
  reclaim_->remove(from, what.priority(), what.demand);
  reclaim_->add(to, what.priority(), what.demand);
}

/// Queues a task again that does not run where it might have.
void scheduler_core::put_back(const task_id& task) {
  const auto since = survival_->unsure.extract(task).mapped();
  const auto at = survival_->running.extract(task).mapped();
  const auto what = *jobs_.find(task);
  auto& counts = book_of(what).counts;
  if (at != survival_books::somewhere) {
#ifdef TROUPE_CHECKS
    granted_.erase(task);
#endif
    rules_.leave(*what.of, at);
    if (limits_.source == view_source::own_tasks)
      release(at, what);
    else if (limits_.source == view_source::offers && tenants_)
      refund(at, what);
  }
  jobs_.put_back(what);
  books_.wait(what.group(), since, 1);
  --counts.running;
  ++counts.queued;
}

/// Once all owners know their machines, what nobody has found does not run.
void scheduler_core::settle_unsure() {
  auto& books = *survival_;
  if (!books.partial.empty())
    return;
  for (auto& left : std::exchange(books.left, {}))
    resume(left);
  for (const auto& [task, since] : std::map(books.unsure))
    put_back(task);
}

} // namespace troupe
