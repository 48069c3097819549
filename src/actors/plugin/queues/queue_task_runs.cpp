#include "actors/plugin/queues/queue_task_runs.hpp"

#include "model/base/planted_faults.hpp"

#include <set>

namespace troupe {

bool queue_task_runs::is_there(const task_id& task, machine_id machine,
                               plugin_jobs::place at) const {
  return tables_.sent.has(task, machine) && tables_.books.jobs.at(task).at == at;
}

void queue_task_runs::start(const task_start& what) {
  if (!is_there(what.task, what.machine, plugin_jobs::place::in_commit)) {
    ++tables_.books.counters().own().duplicate_grants;
    return;
  }
  auto& record = tables_.books.jobs.at(what.task);
  record.at = plugin_jobs::place::running;
  auto& counts = tables_.books.of(what.task).counts;
  --counts.in_commit;
  ++counts.running;
  ++counts.placed;
  if (tables_.records)
    tables_.records->start(what.task, what.machine, what.at);
  tables_.told.tell_start(record.seen, what.machine, what.at);
  drains_.started(what.task, what.machine);
}

void queue_task_runs::end(const task_end& what, sparrow_outbox& out) {
  if (is_there(what.task, what.machine, plugin_jobs::place::running))
    stop(what, out);
  else
    ++tables_.books.counters().own().duplicate_grants;
}

void queue_task_runs::lose_all(machine_id machine, instant now, sparrow_outbox& out) {
  for (const auto& task : std::set(tables_.sent.on(machine)))
    if (tables_.books.jobs.at(task).at == plugin_jobs::place::running)
      stop({task, machine, task_outcome::lost, now}, out);
}

/// A running task has ended.
void queue_task_runs::stop(const task_end& how, sparrow_outbox& out) {
  const auto& task = how.task;
  auto& jobs = tables_.books.jobs;
  --tables_.books.of(task).counts.running;
  tables_.sent.remove(task, how.machine);
  apart_.release(how.machine, out);
  const bool lost = how.outcome == task_outcome::lost;
  const bool again = lost ? may_retry(task) : how.outcome == task_outcome::preempted;
  const auto was = jobs.at(task);
  if (!again) {
    // The plugin would run a lost task again.
    tables_.told.tell_end(was, how.machine, lost ? task_outcome::failed : how.outcome, how.at);
    close(task, how.at, fate_of(how.outcome), out);
    return;
  }
  ++tables_.books.of(task).counts.queued;
  jobs.put_back(task);
  if (tables_.records)
    tables_.records->lose(task, how.at);
  if (!was.shown)
    tables_.told.submit(jobs.release(task.job));
  else if (!planted(planted_fault::dropped_rejection))
    tables_.told.tell_end(was, how.machine, how.outcome, how.at);
}

void queue_task_runs::close(const task_id& task, instant at, task_fate fate, sparrow_outbox& out) {
  losses_.erase(task);
  out.over.emplace_back(task, fate);
  if (tables_.records)
    tables_.records->end(task, at, fate);
  tables_.told.submit(tables_.books.close(task, at, fate));
}

std::uint64_t queue_task_runs::abandon_queued(std::uint32_t group, std::uint64_t given_up,
                                              instant now, sparrow_outbox& out) {
  const auto tasks = tables_.books.abandoned(group, given_up);
  for (const auto& task : tasks) {
    --tables_.books.of(task).counts.queued;
    close(task, now, task_fate::abandoned, out);
  }
  return tasks.size();
}

} // namespace troupe
