#include "actors/plugin/queues/queue_machine_changes.hpp"

#include <set>

namespace troupe {

void queue_machine_changes::note_capacity(machine_id machine, const capacity_notice* notice,
                                          sparrow_outbox& out) {
  // The machine is given nothing that the plugin has sent before it is told of the notice.
  if (notice != nullptr)
    out.heard.push_back({machine, {tables_.rules.id, notice->number}});
}

void queue_machine_changes::restore(machine_id machine, sparrow_outbox& out,
                                    const capacity_notice* notice) {
  if (!tables_.notices.knows(machine))
    return;
  note_capacity(machine, notice, out);
  const auto& capacity =
    notice != nullptr ? notice->capacity : tables_.machines.machine(machine).capacity;
  if (capacity != tables_.notices.told(machine))
    tables_.notices.tell(machine, capacity);
}

void queue_machine_changes::set_capacity(const capacity_notice& what, sparrow_outbox& out) {
  if (!tables_.notices.knows(what.machine))
    return;
  const bool is_drained = drains_.is_over(what.machine);
  if (is_drained || !tables_.notices.begun())
    note_capacity(what.machine, &what, out);
  if (!is_drained)
    tables_.notices.tell(what.machine, what.capacity, what.number);
}

void queue_machine_changes::retire(machine_id machine) {
  if (tables_.notices.knows(machine) && tables_.notices.begin_leaving(machine))
    drains_.begin(machine);
}

void queue_machine_changes::remove(machine_id machine, instant now, sparrow_outbox& out) {
  auto& notices = tables_.notices;
  if (!notices.knows(machine))
    return;
  drains_.forget(machine);
  apart_.forget(machine);
  tables_.requests.forget(machine);
  notices.end_session(machine);
  runs_.lose_all(machine, now, out);
  if (!notices.told(machine).is_zero())
    notices.tell(machine, {});
  notices.begin_void(machine);
  moves_.give_back_all(machine, out);
}

void queue_machine_changes::catch_up() {
  const auto& growth = tables_.machines.growth();
  if (!growth || growth->version() == growth_ || !tables_.notices.begun())
    return;
  const auto changed = growth->changed_since(growth_);
  growth_ += changed.size();
  for (const auto m : std::set(changed.begin(), changed.end()))
    if (const auto has = tables_.notices.told(m); !has.is_zero())
      tables_.notices.tell(m, has);
}

void queue_machine_changes::hear(machine_id machine, std::uint32_t number, sparrow_outbox& out) {
  if (!tables_.notices.has_unheard(machine))
    return;
  while (const auto notice = tables_.notices.hear_next(machine, number))
    hear(machine, *notice, out);
  drains_.settle(machine);
}

void queue_machine_changes::hear(machine_id machine, const machine_notices::told_notice& notice,
                                 sparrow_outbox& out) {
  const auto& capacity = notice.capacity;
  const auto& jobs = tables_.books.jobs;
  for (const auto& task : std::set(tables_.sent.on(machine)))
    if (jobs.at(task).at == plugin_jobs::place::in_commit &&
        (capacity.is_zero() || !capacity.fits(jobs.group_of(task).demand)))
      take_back(task, machine);
  apart_.release(machine, out);
  if (notice.of_machine > 0)
    out.heard.push_back({machine, {tables_.rules.id, notice.of_machine}});
  moves_.give_back(machine, capacity, out);
}

/// The plugin has a task queued again that it had sent to a machine.
void queue_machine_changes::take_back(const task_id& task, machine_id machine) {
  tables_.sent.remove(task, machine);
  apart_.take_back(task, machine);
  drains_.take_back(task, machine);
  tables_.books.jobs.put_back(task);
  auto& counts = tables_.books.of(task).counts;
  --counts.in_commit;
  ++counts.queued;
  if (tables_.records)
    tables_.records->take_back(task);
}

} // namespace troupe
