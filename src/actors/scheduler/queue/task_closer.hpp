#pragma once

#include "actors/scheduler/scheduler_tables.hpp"

#include <optional>

namespace troupe {

/// Books tasks that leave their place: they are over, or wait again. The last task that is over
/// closes its job. If failures are watched, the job store is told of each.
class task_closer {
public:
  explicit task_closer(scheduler_tables& tables) : tables_(tables) {}

  /// Books the end of a run: the task is over, or waits again if its machine was lost and it may.
  void end(const task_end& end);

  /// Queues a task again that had to give way to another one.
  void preempt(const preempted_task& gone);

  /// Queues a task again that was believed to run on a machine, and that did not: as one that waits
  /// since then. Nothing is charged to the machine if that is not known.
  void put_back(const task_id& task, std::optional<machine_id> at, instant since);

  /// Abandons a task, or the gang that it represents, that is counted in a place.
  void abandon(const waiting_task& task, scheduler_counters::place from, instant now);

  /// Notes an attempt that placed no task of a job. Abandons the job after too many of them.
  void empty_attempt(job_id id, instant now);

  /// Abandons the tasks that wait of jobs that were withdrawn, and those that are to wait again
  /// later, as far as it is known which of their tasks wait.
  void withdraw_jobs(instant now);

private:
  void wait_again(const waiting_task& task, instant since);
  void close(std::uint32_t group, const task_id& task, instant at, task_fate fate, bool warm);
  void abandon_job(job_id id, instant now);

  scheduler_tables& tables_;
};

} // namespace troupe
