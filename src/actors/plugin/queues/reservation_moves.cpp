#include "actors/plugin/queues/reservation_moves.hpp"

#include <vector>

namespace troupe {

void reservation_moves::asked(const get_task_request& request, sparrow_outbox& out) {
  const auto machine = request.machine;
  const reserved_group of{request.job, request.group};
  const auto known = tables_.names.seen(of);
  const bool was_stolen = tables_.stolen.take(request);
  if (!known || !tables_.notices.begun() || tables_.notices.leaves(machine)) {
    task_assignment none{true, request.group, {}};
    none.order.task.job = request.job;
    none.order.launcher = tables_.rules.id;
    out.assignments.emplace_back(machine, none);
    if (known && was_stolen)
      place({of, request.placed_on, request.length_met}, request.placed_on, out);
    return;
  }
  tables_.requests.add(machine, *known, of);
  tables_.told.tell(
    get_task_request{known->job, known->group, machine, request.placed_on, request.length_met});
}

void reservation_moves::move(const moved_reservation& what, machine_id from, sparrow_outbox& out) {
  const stolen_reservation moved{{what.job, what.group}, what.placed_on, what.length_met};
  tables_.stolen.take({what.job, what.group, from, what.placed_on});
  if (is_over(moved.of))
    return;
  const auto& demand = tables_.names.tasks_of(moved.of).demand;
  for (const auto to : {what.to, from})
    if (tables_.notices.takes(to, demand)) {
      place(moved, to, out);
      return;
    }
  place(moved, what.placed_on, out);
}

void reservation_moves::place(const stolen_reservation& what, machine_id on, sparrow_outbox& out) {
  const auto& group = tables_.names.tasks_of(what.of);
  if (!tables_.notices.takes(on, group.demand))
    return; // it is the plugin's choice, which hears of that and moves the reservation itself
  const auto& j = *tables_.books.jobs.find(what.of.job);
  queue_entry entry{
    entry_kind::reservation, {}, what.of.group, j.tenant, j.priority, what.placed_on,
    what.length_met};
  entry.order.task.job = what.of.job;
  entry.order.launcher = tables_.rules.id;
  entry.order.demand = group.demand;
  entry.order.by_scheduler = true;
  entry.order.estimate = tables_.estimate_of(what.of.job);
  out.entries.emplace_back(on, entry);
  if (on != what.placed_on)
    tables_.stolen.add(on, what, [this](const reserved_group& of) { return is_over(of); });
}

void reservation_moves::give_back(machine_id machine, const resources& capacity,
                                  sparrow_outbox& out) {
  std::vector<stolen_reservation> back;
  for (const auto& what : tables_.stolen.take_all(machine)) {
    if (is_over(what.of))
      continue;
    if (!capacity.is_zero() && capacity.fits(tables_.names.tasks_of(what.of).demand))
      tables_.stolen.add(machine, what, [](const reserved_group&) { return false; });
    else
      back.push_back(what);
  }
  for (const auto& what : back)
    place(what, what.placed_on, out);
}

void reservation_moves::give_back_all(machine_id machine, sparrow_outbox& out) {
  give_back(machine, {}, out);
}

} // namespace troupe
