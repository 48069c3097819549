#pragma once

#include "actors/plugin/queues/entries_kept_apart.hpp"
#include "actors/plugin/queues/machine_drains.hpp"

#include <cstdint>
#include <map>

namespace troupe {

/// Books the starts and ends of a queue plugin's tasks on machines. The plugin hears of a task only
/// if it knows the task. Otherwise it is given the task as a job if the task has to run again.
class queue_task_runs {
public:
  queue_task_runs(queue_plugin_tables& tables, entries_kept_apart& apart, machine_drains& drains)
    : tables_(tables), apart_(apart), drains_(drains) {}

  /// A task is given up after `retries` lost runs; 0: never.
  void watch_failures(std::uint32_t retries) { retries_ = retries; }

  /// Books a start or an end. One that nobody waits for is only counted.
  void start(const task_start& what);
  void end(const task_end& what, sparrow_outbox& out);

  /// The tasks that run on a machine are lost.
  void lose_all(machine_id machine, instant now, sparrow_outbox& out);

  /// Books the tasks of a group of jobs that the plugin has given up, as
  /// `queue_plugin_core::abandon_queued` says.
  std::uint64_t abandon_queued(std::uint32_t group, std::uint64_t given_up, instant now,
                               sparrow_outbox& out);

private:
  bool is_there(const task_id& task, machine_id machine, plugin_jobs::place at) const;
  void stop(const task_end& how, sparrow_outbox& out);
  void close(const task_id& task, instant at, task_fate fate, sparrow_outbox& out);
  bool may_retry(const task_id& task) { return retries_ == 0 || ++losses_[task] <= retries_; }

  queue_plugin_tables& tables_;
  entries_kept_apart& apart_;
  machine_drains& drains_;
  std::uint32_t retries_ = 0;
  std::map<task_id, std::uint32_t> losses_; ///< of tasks that are not over
};

} // namespace troupe
