#pragma once

#include "actors/plugin/owners/plugin_member_tables.hpp"

#include <map>

namespace troupe {

/// What a plugin is told of the room on machines, if its view learns from its own tasks alone: that
/// a machine has more or less than before, or that a task which the plugin does not know has taken
/// room there, or has left. Otherwise nothing is told.
class shown_room {
public:
  /// In a cluster that grows no machine is there at first.
  explicit shown_room(plugin_member_tables& tables);

  /// A task, whose job is not over, takes room on a machine, or leaves it.
  void occupy(const task_id& task, machine_id machine);
  void vacate(const task_id& task, machine_id machine);

  /// A machine has more or less than before.
  void change(const machine_change& what);

  /// Takes the capacities of all machines of an owner from its statement. Machines that the
  /// statement does not mention have all that the catalog says.
  void state(const owner_statement& statement);

private:
  const resources& whole(machine_id m) const;
  const resources& capacity_of(machine_id m) const;
  void set_capacity(machine_id m, const resources& capacity);
  void tell(machine_id machine, bool present, const resources& gain);
  bool is_hidden(const task_id& task) const;

  plugin_member_tables& tables_;
  std::map<machine_id, resources> reduced_; ///< machines that have less than by the catalog
};

} // namespace troupe
