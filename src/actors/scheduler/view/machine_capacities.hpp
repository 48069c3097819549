#pragma once

#include "actors/scheduler/view/charged_view.hpp"
#include "model/protocol/failure_protocol.hpp"

#include <map>

namespace troupe {

/// The present capacities of machines, for a scheduler whose view learns from its own tasks alone:
/// owners tell it of each change. When a session with an owner begins anew, the owner states the
/// capacity of each machine, so the capacities known before are kept if failures are watched.
class machine_capacities {
public:
  machine_capacities(const scheduler_setup& setup, charged_view& charged)
    : setup_(setup), view_(charged) {}

  /// Keeps the capacities from now on. In a cluster that grows no machine is there at first.
  void keep() {
    keeps_ = true;
    for (machine_id m = 0; setup_.machines.grows() && m < setup_.machines.machines(); ++m)
      reduced_.try_emplace(m);
  }

  /// Books that a machine has more or less than before.
  void change(const machine_change& what) {
    if (!setup_.learns_from_own_tasks())
      return;
    const auto gain = what.change_of(whole(what.machine));
    if (keeps_)
      set(what.machine, of(what.machine) + gain);
    else
      view_.change_room(what.machine, gain);
  }

  /// Books the capacities of all machines of an owner.
  void state(const owner_statement& statement) {
    if (!setup_.learns_from_own_tasks())
      return;
    std::map<machine_id, resources> now;
    for (const auto& [m, _] : reduced_)
      if (setup_.owner_of_machine(m) == statement.owner)
        now[m] = whole(m);
    for (const auto& [m, capacity] : statement.capacities)
      now[m] = capacity;
    for (const auto& [m, capacity] : now)
      set(m, capacity);
  }

  /// Returns whether a machine has less than the catalog says. Only those kept are known. In a
  /// cluster that grows all have less, which says nothing.
  bool reduced(machine_id m) const { return reduced_.contains(m); }
  bool any_reduced() const { return !reduced_.empty() && !setup_.machines.grows(); }

private:
  const resources& whole(machine_id m) const { return setup_.machines.machine(m).capacity; }
  const resources& of(machine_id m) const {
    const auto it = reduced_.find(m);
    return it == reduced_.end() ? whole(m) : it->second;
  }

  void set(machine_id m, const resources& capacity) {
    const auto gain = capacity - of(m);
    if (capacity == whole(m))
      reduced_.erase(m);
    else
      reduced_[m] = capacity;
    view_.change_room(m, gain);
  }

  const scheduler_setup& setup_;
  charged_view& view_;
  bool keeps_ = false;
  std::map<machine_id, resources> reduced_; ///< what those machines have
};

} // namespace troupe
