#include "actors/sparrow/probing/task_reservations.hpp"

#include <algorithm>

namespace troupe {

queue_entry task_reservations::reservation(open_job& j, std::uint32_t g, machine_id on) {
  const auto& what = j.what;
  queue_entry entry{entry_kind::reservation, {}, g, what.tenant, what.priority, on};
  entry.order.task.job = what.id;
  entry.order.launcher = tables_.id;
  entry.order.demand = what.groups[g].demand;
  entry.order.by_scheduler = true;
  entry.order.estimate = launcher_.estimate_of(j);
  j.reservations.push_back({on, g});
  ++j.groups[g].reserved;
  tables_.affected.note_place(what.id, on);
  return entry;
}

void task_reservations::reserve(open_job& j, std::uint32_t g, std::size_t n, sparrow_outbox& out) {
  const auto& drawn = tables_.probed.draw(j, g, n, !j.what.spread);
  for (const auto m : drawn)
    out.entries.emplace_back(m, reservation(j, g, m));
  tables_.accounts.note_drawn(j, watched::reserved, g, drawn);
  j.reserved += drawn.size();
  tables_.accounts.sample_of(j).sparrow.reservations += drawn.size();
}

void task_reservations::reserve_what_is_missing(open_job& j, sparrow_outbox& out) {
  if (tables_.limits.how != probing::late_binding || !j.placed ||
      std::ranges::none_of(j.groups, &open_job::group_state::lacks_machines))
    return;
  tables_.probed.begin_without_used(j);
  for (std::uint32_t g = 0; g < j.groups.size(); ++g)
    if (j.groups[g].lacks_machines())
      reserve(j, g, j.groups[g].ready() - j.groups[g].reserved, out);
  tables_.affected.note_shortage(j);
}

std::optional<std::uint32_t> task_reservations::group_for(const open_job& j,
                                                          const get_task_request& request) const {
  const auto& probed = tables_.probed;
  if (request.group >= j.groups.size() || probed.is_gone(request.machine) ||
      !probed.is_open_to(j, request.machine) || (j.what.spread && j.tasks_on(request.machine) > 0))
    return std::nullopt;
  const auto suits = [&](std::uint32_t g) {
    return j.groups[g].ready() > 0 && probed.may_take(j, g, request.machine) &&
           j.what.groups[request.group].demand.fits(j.what.groups[g].demand);
  };
  if (suits(request.group))
    return request.group;
  for (std::uint32_t g = 0; g < j.groups.size(); ++g)
    if (suits(g))
      return g;
  return std::nullopt;
}

task_assignment task_reservations::hand_out(const get_task_request& request, sparrow_outbox& out) {
  task_assignment answer{true, request.group, {}};
  answer.order.task.job = request.job;
  answer.order.launcher = tables_.id;
  auto* j = tables_.jobs.find(request.job);
  if (j == nullptr) {
    auto& sample = tables_.accounts.own_sample().sparrow;
    ++sample.requests;
    ++sample.noops;
    return answer;
  }
  auto& sample = tables_.accounts.sample_of(*j).sparrow;
  ++sample.requests;
  // It knows the stolen entries only where failures are watched.
  const bool knows_thefts = tables_.affected.losses() != nullptr;
  j->use_reservation(knows_thefts ? request.machine : request.placed_on, request.group);
  j->met_room += request.length_met < 0;
  if (const auto g = group_for(*j, request)) {
    const auto task = j->take_task(*g);
    if (auto* watch = tables_.accounts.watching(request.job)) {
      auto& e = watch->note(watched::asked, tables_.id, task);
      e.machine = request.machine;
      e.machines = {request.placed_on};
    }
    answer.none = false;
    answer.order = launcher_.launch(*j, *g, task, request.machine);
    sample.stolen += request.machine != request.placed_on;
  } else {
    ++sample.noops;
  }
  if (j->ready() == 0)
    cancel(*j, out);
  else
    reserve_what_is_missing(*j, out);
  return answer;
}

void task_reservations::move(const moved_reservation& what, machine_id from, sparrow_outbox& out) {
  auto* j = tables_.jobs.find(what.job);
  const bool is_needed = j != nullptr && what.group < j->groups.size() &&
                         j->use_reservation(from, what.group) && j->ready() > 0;
  if (!is_needed)
    return;
  const auto& probed = tables_.probed;
  if (what.to < probed.count() && !probed.is_gone(what.to) &&
      probed.may_take(*j, what.group, what.to) && probed.is_open_to(*j, what.to)) {
    auto entry = reservation(*j, what.group, what.to);
    entry.placed_on = what.placed_on;
    entry.length_met = what.length_met;
    out.entries.emplace_back(what.to, entry);
  } else {
    reserve_what_is_missing(*j, out);
  }
}

void task_reservations::cancel(open_job& j, sparrow_outbox& out) {
  if (!tables_.limits.cancellation || j.reservations.empty())
    return;
  auto& probed = tables_.probed;
  probed.begin();
  for (const auto& r : j.reservations)
    if (probed.leave_out(r.machine))
      out.cancellations.push_back({r.machine, {tables_.id, j.what.id}});
  tables_.accounts.sample_of(j).sparrow.cancellations += j.reservations.size();
  j.forget_reservations();
}

} // namespace troupe
