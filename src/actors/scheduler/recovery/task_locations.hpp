#pragma once

#include "actors/scheduler/queue/job_intake.hpp"
#include "actors/scheduler/queue/task_closer.hpp"
#include "actors/scheduler/scheduler_tables.hpp"

#include <optional>

namespace troupe {

/// Finds out where tasks run, if failures are watched. A task may run on a machine that its owner
/// does not know yet; it counts as running until an owner has reported it, or no machine can run it
/// any more. An end is booked only if the task is known to have run there.
class task_locations {
public:
  task_locations(scheduler_tables& tables, job_intake& intake, task_closer& ends)
    : tables_(tables), intake_(intake), ends_(ends) {}

  /// Books the end of a run, unless the task does not run there as far as is known.
  void end(const task_end& end) {
    if (!tables_.failover || forget(end.task, end.machine))
      ends_.end(end);
  }

  /// The same for a task that had to give way.
  void preempt(const preempted_task& gone) {
    if (!tables_.failover || forget(gone.task, gone.machine))
      ends_.preempt(gone);
  }

  /// Notes where all tasks are that an owner tells of.
  void locate_all(const owner_statement& statement);

  /// Queues a task again that does not run on the machine where it might have run.
  void put_back(const task_id& task);

  /// When all owners know their machines, tasks that no owner has found do not run: they are
  /// queued.
  void settle_unsure();

private:
  /// Notes the place of a task, or its place until its end, if the place was uncertain.
  void locate(const task_id& task, machine_id machine);

  /// Moves a task to the machine that it is on instead.
  void move(const task_id& task, machine_id from, machine_id to);

  /// Forgets that a task runs on a machine. Returns false if it does not.
  bool forget(const task_id& task, machine_id machine);

  scheduler_tables& tables_;
  job_intake& intake_;
  task_closer& ends_;
};

} // namespace troupe
