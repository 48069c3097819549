#pragma once

#include "actors/plugin/queues/entries_kept_apart.hpp"

#include <map>
#include <set>

namespace troupe {

/// The machines that are to be drained and have still to start tasks that were sent to them. When
/// all of these have started, the machine has nothing for the plugin.
class machine_drains {
public:
  machine_drains(queue_plugin_tables& tables, entries_kept_apart& apart)
    : tables_(tables), apart_(apart) {}

  /// A machine is to be drained. It is sent nothing more, so tasks that are kept for it will not
  /// start there.
  void begin(machine_id machine);

  /// Whether a machine leaves and has started all tasks.
  bool is_over(machine_id machine) const {
    return tables_.notices.leaves(machine) && !waiting_.contains(machine);
  }

  /// A machine has started a task.
  void started(const task_id& task, machine_id machine);

  /// A task that was sent to a machine will not start there.
  void take_back(const task_id& task, machine_id machine);

  /// Tells the plugin that a machine has nothing, if the machine has started all tasks.
  void settle(machine_id machine);

  /// A machine is gone, or has returned.
  void forget(machine_id machine) { waiting_.erase(machine); }

private:
  queue_plugin_tables& tables_;
  entries_kept_apart& apart_;
  std::map<machine_id, std::set<task_id>> waiting_; ///< tasks that have still to start
};

} // namespace troupe
