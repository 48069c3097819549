#include "actors/plugin/queues/machine_notices.hpp"

#include <utility>

namespace troupe {

machine_notices::machine_notices(const catalog& machines, queue_plugin_outbox& told)
  : machines_(machines), outbox_(told), notes_(machines.machines()) {
  for (machine_id m = 0; m < notes_.size(); ++m)
    notes_[m].heard = machines.machine(m).capacity;
}

void machine_notices::begin() {
  if (std::exchange(begun_, true))
    return;
  auto later = outbox_.take();
  for (machine_id m = 0; m < notes_.size(); ++m)
    if (const auto has = notes_[m].told; has != machines_.machine(m).capacity)
      tell(m, has);
  outbox_.put_behind(std::move(later));
}

void machine_notices::tell(machine_id machine, const resources& capacity,
                           std::uint32_t of_machine) {
  auto& note = notes_.at(machine);
  note.told = capacity;
  if (!begun_)
    return;
  unheard_[machine].push_back({++note.notices, capacity, of_machine});
  outbox_.tell(capacity_notice{machine, capacity, note.notices});
}

std::optional<machine_notices::told_notice> machine_notices::hear_next(machine_id machine,
                                                                       std::uint32_t number) {
  const auto pending = unheard_.find(machine);
  if (pending == unheard_.end() || pending->second.front().number > number)
    return std::nullopt;
  const auto notice = pending->second.front();
  pending->second.pop_front();
  if (pending->second.empty())
    unheard_.erase(pending);
  auto& note = notes_.at(machine);
  note.heard = notice.capacity;
  note.notices_heard = notice.number;
  return notice;
}

bool machine_notices::begin_leaving(machine_id machine) {
  return !std::exchange(notes_.at(machine).leaves, true);
}

void machine_notices::end_session(machine_id machine) {
  notes_.at(machine).leaves = false;
  if (const auto pending = unheard_.find(machine); pending != unheard_.end())
    for (auto& notice : pending->second)
      notice.of_machine = 0;
}

void machine_notices::begin_void(machine_id machine) {
  auto& note = notes_.at(machine);
  note.valid_from = note.notices;
}

bool machine_notices::is_void(machine_id machine) const {
  return !begun_ || notes_.at(machine).notices_heard < notes_[machine].valid_from;
}

bool machine_notices::takes(machine_id machine, const resources& demand) const {
  return knows(machine) && !leaves(machine) && !told(machine).is_zero() &&
         told(machine).fits(demand);
}

} // namespace troupe
