#include "actors/owner_core.hpp"

// Machines that leave, join and change while they live: that part of `owner_core`.
namespace troupe {

std::vector<task_id> owner_core::set_capacity(const machine_capacity& what, instant now) {
  account(now);
  std::vector<task_id> killed;
  const auto machine = what.machine;
  auto* part = find(machine);
  if (part == nullptr)
    return killed;
  const auto before = part->capacity_of(machine);
  if (before == what.capacity)
    return killed;
  for (auto grant : part->surplus(machine, what.capacity)) {
    const bool held = hold_is_lost(part->task_at(grant), machine);
    const auto lost = part->expel(grant, !held);
    if (held)
      continue;
    killed.push_back(lost.task);
    tell(lost.scheduler, {lost.task, machine, task_outcome::lost, now});
    if (outbox_)
      outbox_->freed(machine, lost.scheduler, lost.demand);
  }
  part->set_capacity(machine, what.capacity);
  tell_all({machine, !what.capacity.is_zero(), what.capacity - before});
  return killed;
}

void owner_core::empty(machine_id machine, instant now) {
  auto* part = find(machine);
  if (part == nullptr)
    return;
  part->close(machine, true);
  set_capacity({machine, part->capacity_of(machine) - part->free(machine)}, now);
}

void owner_core::fill(machine_id machine, instant now) {
  if (auto* part = find(machine); part != nullptr)
    part->close(machine, false);
  set_capacity({machine, machines_->machine(machine).capacity}, now);
}

} // namespace troupe
