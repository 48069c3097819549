#include "actors/plugin/owners/shown_room.hpp"

namespace troupe {

shown_room::shown_room(plugin_member_tables& tables) : tables_(tables) {
  const auto& machines = tables.setup.machines;
  for (machine_id m = 0; machines.grows() && m < machines.machines(); ++m)
    reduced_.try_emplace(m);
}

bool shown_room::is_hidden(const task_id& task) const {
  return tables_.setup.rules.own_tasks && !tables_.books.jobs.at(task).shown;
}

void shown_room::tell(machine_id machine, bool present, const resources& gain) {
  const auto owner = tables_.setup.owner_of_machine(machine);
  tables_.told.next_report(owner).changes.push_back({machine, present, gain});
}

void shown_room::occupy(const task_id& task, machine_id machine) {
  if (is_hidden(task))
    tell(machine, true, resources{} - tables_.books.jobs.group_of(task).demand);
}

void shown_room::vacate(const task_id& task, machine_id machine) {
  if (is_hidden(task))
    tell(machine, true, tables_.books.jobs.group_of(task).demand);
}

const resources& shown_room::whole(machine_id m) const {
  return tables_.setup.machines.machine(m).capacity;
}

const resources& shown_room::capacity_of(machine_id m) const {
  const auto it = reduced_.find(m);
  return it == reduced_.end() ? whole(m) : it->second;
}

void shown_room::set_capacity(machine_id m, const resources& capacity) {
  const auto gain = capacity - capacity_of(m);
  if (gain.is_zero())
    return;
  if (capacity == whole(m))
    reduced_.erase(m);
  else
    reduced_[m] = capacity;
  tell(m, !capacity.is_zero(), gain);
}

void shown_room::change(const machine_change& what) {
  if (tables_.setup.rules.own_tasks)
    set_capacity(what.machine, capacity_of(what.machine) + what.change_of(whole(what.machine)));
}

void shown_room::state(const owner_statement& statement) {
  if (!tables_.setup.rules.own_tasks)
    return;
  std::map<machine_id, resources> now;
  for (const auto& [m, _] : reduced_)
    if (tables_.setup.owner_of_machine(m) == statement.owner)
      now[m] = whole(m);
  for (const auto& [m, capacity] : statement.capacities)
    now[m] = capacity;
  for (const auto& [m, capacity] : now)
    set_capacity(m, capacity);
}

} // namespace troupe
