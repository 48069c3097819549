#include "actors/sparrow/recovery/machine_changes.hpp"

#include "model/base/planted_faults.hpp"

#include <algorithm>

namespace troupe {

void machine_changes::remove(machine_id machine, instant now, sparrow_outbox& out) {
  if (machine >= tables_.probed.count() || !tables_.probed.remove(machine))
    return;
  for (const auto id : tables_.affected.concerned_by(machine)) {
    auto& j = *tables_.jobs.find(id);
    lose(j, machine, now, out);
    if (!closer_.finish_if_over(j))
      search_.look_again(j, out);
  }
  if (auto* losses = tables_.affected.losses())
    losses->clear(machine);
  probes_.give_up(machine, out);
}

void machine_changes::lose(open_job& j, machine_id machine, instant now, sparrow_outbox& out) {
  j.forget_reservations(machine);
  for (std::uint32_t index = 0; index < j.tasks.size(); ++index) {
    if (!j.tasks[index].is_on(machine))
      continue;
    const task_id task{j.what.id, index};
    const bool ran = j.tasks[index].state == open_job::task_state::running;
    if (ran && !runs_.may_retry(task)) {
      closer_.end(j, task, task_fate::lost, now, out);
      continue;
    }
    if (ran)
      tables_.accounts.lose(j, task, now);
    else
      tables_.accounts.take_back(j, index);
    if (!planted(planted_fault::dropped_rejection))
      tables_.jobs.put_back(j, index);
  }
}

void machine_changes::retire(machine_id machine, sparrow_outbox& out) {
  if (machine >= tables_.probed.count() || !tables_.probed.retire(machine))
    return;
  for (const auto id : tables_.affected.concerned_by(machine)) {
    auto& j = *tables_.jobs.find(id);
    j.forget_reservations(machine);
    search_.look_again(j, out);
  }
}

void machine_changes::restore(machine_id machine, sparrow_outbox& out,
                              const capacity_notice* notice) {
  note_capacity(machine, notice, out);
  if (machine >= tables_.probed.count() || (notice && notice->capacity.is_zero()) ||
      !tables_.probed.restore(machine))
    return;
  for (const auto id : tables_.affected.short_ones())
    search_.look_again(*tables_.jobs.find(id), out);
}

void machine_changes::note_capacity(machine_id machine, const capacity_notice* notice,
                                    sparrow_outbox& out) {
  if (machine >= tables_.probed.count())
    return;
  auto& pools = tables_.probed.pools();
  pools.catch_up();
  pools.resize(machine, notice ? notice->capacity : tables_.machines.machine(machine).capacity);
  if (notice)
    out.heard.push_back({machine, {tables_.id, notice->number}});
}

void machine_changes::set_capacity(const capacity_notice& what, sparrow_outbox& out) {
  const auto machine = what.machine;
  if (machine >= tables_.probed.count())
    return;
  note_capacity(machine, &what, out);
  const bool away = what.capacity.is_zero();
  tables_.probed.set_away(machine, away);
  for (const auto id : tables_.affected.concerned_by(machine)) {
    auto& j = *tables_.jobs.find(id);
    withdraw(j, machine, what.capacity);
    search_.look_again(j, out);
  }
  if (away)
    probes_.give_up(machine, out);
}

/// Takes back what a machine has too little for and does not run.
void machine_changes::withdraw(open_job& j, machine_id machine, const resources& capacity) {
  bool fits = true;
  for (std::uint32_t g = 0; g < j.groups.size(); ++g)
    if (!capacity.fits(j.what.groups[g].demand)) {
      fits = false;
      j.forget_reservations(machine, g);
    }
  if (fits)
    return;
  for (std::uint32_t index = 0; index < j.tasks.size(); ++index) {
    if (!j.is_at(index, machine, open_job::task_state::sent) ||
        capacity.fits(j.what.groups[j.group_of(index)].demand))
      continue;
    tables_.accounts.take_back(j, index);
    tables_.jobs.put_back(j, index);
  }
}

void machine_changes::look_again(sparrow_outbox& out) {
  if (!tables_.probed.pools().catch_up())
    return;
  for (const auto id : tables_.affected.short_ones())
    search_.look_again(*tables_.jobs.find(id), out);
}

void machine_changes::reopen(sparrow_outbox& out) {
  auto ids = tables_.affected.short_ones();
  std::ranges::sort(ids);
  for (const auto id : ids)
    search_.look_again(*tables_.jobs.find(id), out);
}

} // namespace troupe
