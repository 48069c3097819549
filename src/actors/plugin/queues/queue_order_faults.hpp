#pragma once

#include "actors/plugin/queues/queue_plugin_tables.hpp"

#include <string>

namespace troupe {

/// Finds faults in the messages of a plugin to machines.
class queue_order_faults {
public:
  explicit queue_order_faults(const queue_plugin_tables& tables) : tables_(tables) {}

  /// Returns the fault of a message to a machine, as the rest of a sentence about the plugin, or
  /// "".
  std::string of(machine_id machine, const queue_entry& entry) const;
  std::string of(machine_id machine, const task_assignment& answer) const;
  std::string of(machine_id machine, const cancellation& what) const;
  std::string of(machine_id machine, const queue_probe& probe) const;
  std::string of(machine_id machine, const capacity_heard& what) const;

private:
  std::string of_task(const launch_order& order) const;
  bool is_own(scheduler_id scheduler) const { return scheduler == tables_.rules.id; }

  const queue_plugin_tables& tables_;
};

} // namespace troupe
