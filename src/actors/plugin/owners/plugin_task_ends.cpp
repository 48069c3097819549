#include "actors/plugin/owners/plugin_task_ends.hpp"

namespace troupe {

/// The job of a task that ran may be over: the task must have run twice.
bool plugin_task_ends::count_if_over(const task_id& task) {
  if (tables_.books.jobs.find(task.job) != nullptr)
    return false;
  ++tables_.own_sample().duplicate_grants;
  return true;
}

void plugin_task_ends::end(const task_end& end) {
  if (count_if_over(end.task))
    return;
  auto& [counts, sample] = tables_.book_of(end.task);
  sample.duplicate_grants += tables_.granted.end(end.task);
  --counts.running;
  room_.vacate(end.task, end.machine);
  const bool lost = end.outcome == task_outcome::lost;
  if (lost && tables_.failover.may_retry(end.task)) {
    ++counts.queued;
    if (tables_.records)
      tables_.records->lose(end.task, end.at);
    queue_again(end.task, end.at);
    return;
  }
  // The plugin would place a lost task again.
  tell_end(end.task, lost ? task_outcome::failed : end.outcome, end.at);
  close(end.task, end.at, fate_of(end.outcome));
}

void plugin_task_ends::preempt(const preempted_task& gone) {
  if (count_if_over(gone.task))
    return;
  auto& jobs = tables_.books.jobs;
  auto& [counts, sample] = tables_.book_of(gone.task);
  sample.duplicate_grants += tables_.granted.end(gone.task);
  --counts.running;
  ++counts.queued;
  ++sample.preempted.tasks;
  if (tables_.records)
    tables_.records->preempt(gone);
  room_.vacate(gone.task, gone.machine);
  jobs.put_back(gone.task);
  const auto& record = jobs.at(gone.task);
  if (record.shown) {
    const auto owner = tables_.setup.owner_of_machine(record.machine);
    tables_.told.next_report(owner).preempted.push_back(
      {record.seen, record.machine, gone.at, gone.ran});
  } else {
    tables_.told.submit(jobs.release(gone.task.job));
  }
}

void plugin_task_ends::put_back(const task_id& task, instant now) {
  tables_.granted.end(task);
  auto& counts = tables_.book_of(task).counts;
  --counts.running;
  ++counts.queued;
  if (tables_.records)
    tables_.records->put_back(task, now);
  queue_again(task, now);
}

std::uint64_t plugin_task_ends::abandon_queued(std::uint32_t group, std::uint64_t given_up,
                                               instant now) {
  const auto tasks = tables_.books.abandoned(group, given_up);
  for (const auto& task : tasks) {
    --tables_.book_of(task).counts.queued;
    close(task, now, task_fate::abandoned);
  }
  return tasks.size();
}

void plugin_task_ends::close(const task_id& task, instant at, task_fate fate) {
  tables_.failover.over(task, fate);
  if (tables_.records)
    tables_.records->end(task, at, fate);
  tables_.told.submit(tables_.books.close(task, at, fate));
}

void plugin_task_ends::queue_again(const task_id& task, instant at) {
  auto& jobs = tables_.books.jobs;
  jobs.put_back(task);
  if (jobs.at(task).shown)
    tell_end(task, task_outcome::lost, at);
  else
    tables_.told.submit(jobs.release(task.job));
}

void plugin_task_ends::tell_end(const task_id& task, task_outcome outcome, instant at) {
  const auto& was = tables_.books.jobs.at(task);
  if (was.shown)
    tables_.told.next_report(tables_.setup.owner_of_machine(was.machine))
      .ends.push_back({was.seen, was.machine, outcome, at});
}

} // namespace troupe
