#pragma once

#include "model/protocol/protocol.hpp"

#include <map>
#include <set>

namespace troupe {

/// The tasks of a plugin on machines: those that it has sent there, and those that run there.
class sent_tasks {
public:
  void add(const task_id& task, machine_id machine) { on_[machine].insert(task); }

  /// Removes a task that is there.
  void remove(const task_id& task, machine_id machine) {
    const auto there = on_.find(machine);
    there->second.erase(task);
    if (there->second.empty())
      on_.erase(there);
  }

  bool has(const task_id& task, machine_id machine) const { return on(machine).contains(task); }

  /// The tasks on a machine, in order.
  const std::set<task_id>& on(machine_id machine) const {
    static const std::set<task_id> none;
    const auto there = on_.find(machine);
    return there == on_.end() ? none : there->second;
  }

  /// Calls `tell(task, machine)` for each, in the order of the machines.
  template <class Tell>
  void visit(Tell tell) const {
    for (const auto& [machine, tasks] : on_)
      for (const auto& task : tasks)
        tell(task, machine);
  }

private:
  std::map<machine_id, std::set<task_id>> on_;
};

} // namespace troupe
