#pragma once

#include "actors/plugin/queues/queue_plugin_tables.hpp"
#include "actors/sparrow/sparrow_outbox.hpp"

#include <map>
#include <vector>

namespace troupe {

/// Keeps the tasks of a job that spreads apart where the plugin cannot: it does not know that tasks
/// are of one job if an earlier incarnation has placed some of them. A task that the plugin sends
/// to a machine beside such a one is kept here until the machine has none of them. For the plugin
/// it waits in the machine's queue.
class entries_kept_apart {
public:
  explicit entries_kept_apart(queue_plugin_tables& tables) : tables_(tables) {}

  /// Returns whether a machine was sent another task of the job of a task, which spreads, and the
  /// plugin does not know that they are of one job. Tasks that are kept here do not count.
  bool has_beside(const task_id& task, machine_id machine) const;

  /// Keeps a task for a machine.
  void keep(machine_id machine, const queue_entry& entry) { kept_[machine].push_back(entry); }

  /// Returns whether a task is kept for a machine.
  bool keeps(const task_id& task, machine_id machine) const;

  /// Forgets a task that the plugin has queued again.
  void take_back(const task_id& task, machine_id machine);

  /// Forgets all tasks for a machine.
  void forget(machine_id machine) { kept_.erase(machine); }

  /// Sends a machine the tasks that have none beside them any more, the earliest first.
  void release(machine_id machine, sparrow_outbox& out);

private:
  queue_plugin_tables& tables_;
  std::map<machine_id, std::vector<queue_entry>> kept_; ///< in the order of their coming
};

} // namespace troupe
