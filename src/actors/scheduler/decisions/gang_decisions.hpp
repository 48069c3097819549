#pragma once

#include "actors/scheduler/decisions/machine_picker.hpp"
#include "actors/scheduler/decisions/placement_charger.hpp"
#include "actors/scheduler/queue/job_molder.hpp"
#include "actors/scheduler/queue/task_closer.hpp"
#include "actors/scheduler/scheduler_tables.hpp"

#include <cstdint>
#include <vector>

namespace troupe {

/// Decides on gangs: on all tasks of a gang together, or on none. A gang that does not fit the view
/// is passed over until enough for it may have become free. Gangs do not preempt.
class gang_decisions {
public:
  gang_decisions(scheduler_tables& tables, machine_picker& picker, placement_charger& charger,
                 task_closer& ends)
    : tables_(tables), picker_(picker), charger_(charger), ends_(ends), molder_(tables) {}

  /// Returns whether the machines, idle, could hold all tasks of a gang together.
  bool possible(const waiting_task& whole);

  /// Decides on the gang at the head of the queue, or passes it over. Returns false if it has to
  /// wait for the next decision. Adds its decision time to `cost`.
  bool decide(decision_context& context, duration& cost);

  /// Puts the gangs back into the queue that may have found room since they were put aside.
  void wake(instant now, bool gained);

private:
  /// Places the tasks one after the other until there is no machine for one.
  void place(const std::vector<waiting_task>& tasks, std::uint64_t transaction,
             decision_context& context);
  /// Returns the reason why a gang was not placed.
  wait_reason why_not(const waiting_task& whole) const;
  void put_aside(const waiting_task& whole, instant now);

  scheduler_tables& tables_;
  machine_picker& picker_;
  placement_charger& charger_;
  task_closer& ends_;
  job_molder molder_;
};

} // namespace troupe
