#include "actors/plugin/queue_plugin_core.hpp"
#include "model/base/planted_faults.hpp"

#include <algorithm>

// The events of machines, and what the plugin is told of them: that part of queue_plugin_core.
namespace troupe {

void queue_plugin_core::asked(const get_task_request& request, sparrow_outbox& out) {
  const auto machine = request.machine;
  const reservation of{request.job, request.group};
  const auto known = seen(of);
  const bool was_stolen = take_stolen(request);
  if (!known || !begun_ || notes_.at(machine).leaves) {
    task_assignment none{true, request.group, {}};
    none.order.task.job = request.job;
    none.order.launcher = rules_.id;
    out.assignments.emplace_back(machine, none);
    if (known && was_stolen)
      place_again({of, request.placed_on, request.length_met}, request.placed_on, out);
    return;
  }
  auto& open = requests_[{machine, known->job, known->group}];
  open.of = of;
  ++open.count;
  tell(get_task_request{known->job, known->group, machine, request.placed_on, request.length_met});
}

/// Forgets where a reservation is whose machine asks for its task. Returns whether it was stolen.
bool queue_plugin_core::take_stolen(const get_task_request& request) {
  const auto here = stolen_.find(request.machine);
  if (here == stolen_.end())
    return false;
  auto& all = here->second;
  const auto it = std::ranges::find_if(all, [&](const stolen_reservation& s) {
    return s.of.job == request.job && s.of.group == request.group &&
           s.placed_on == request.placed_on;
  });
  if (it == all.end())
    return false;
  all.erase(it);
  if (all.empty())
    stolen_.erase(here);
  return true;
}

void queue_plugin_core::answer(const probe_answer& answer, sparrow_outbox&) {
  tell(answer);
}

void queue_plugin_core::book(const task_news& news, sparrow_outbox& out) {
  for (const auto& s : news.started)
    start(s);
  for (const auto& e : news.ended)
    end(e, out);
  check_balance();
}

void queue_plugin_core::start(const task_start& what) {
  const bool known =
    may_run(what.task, what.machine) && books_.jobs.at(what.task).at == place::in_commit;
  if (!known) {
    ++books_.counters().own().duplicate_grants;
    return;
  }
  auto& record = books_.jobs.at(what.task);
  record.at = place::running;
  auto& counts = books_.of(what.task).counts;
  --counts.in_commit;
  ++counts.running;
  ++counts.placed;
  if (records_)
    records_->start(what.task, what.machine, what.at);
  tell_start(record.seen, what.machine, what.at);
  if (const auto leaving = drained_.find(what.machine); leaving != drained_.end()) {
    leaving->second.erase(what.task);
    note_drained(what.machine);
  }
}

void queue_plugin_core::end(const task_end& what, sparrow_outbox& out) {
  if (may_run(what.task, what.machine) && books_.jobs.at(what.task).at == place::running)
    stop(what.task, what, out);
  else
    ++books_.counters().own().duplicate_grants;
}

/// A running task has ended.
void queue_plugin_core::stop(const task_id& task, const task_end& how, sparrow_outbox& out) {
  --books_.of(task).counts.running;
  leave(task, how.machine);
  const bool lost = how.outcome == task_outcome::lost;
  const bool again = lost ? may_retry(task) : how.outcome == task_outcome::preempted;
  const auto was = books_.jobs.at(task);
  if (!again) {
    // The plugin would run a lost task again.
    tell_end(was, how.machine, lost ? task_outcome::failed : how.outcome, how.at);
    close(task, how.at, fate_of(how.outcome), out);
    return;
  }
  ++books_.of(task).counts.queued;
  books_.jobs.put_back(task);
  if (records_)
    records_->lose(task, how.at);
  if (!was.shown)
    submit_to_plugin(books_.jobs.release(task.job));
  else if (!planted(planted_fault::dropped_rejection))
    tell_end(was, how.machine, how.outcome, how.at);
}

void queue_plugin_core::close(const task_id& task, instant at, task_fate fate,
                              sparrow_outbox& out) {
  losses_.erase(task);
  out.over.emplace_back(task, fate);
  if (records_)
    records_->end(task, at, fate);
  submit_to_plugin(books_.close(task, at, fate));
}

void queue_plugin_core::move(const moved_reservation& what, machine_id from, sparrow_outbox& out) {
  const stolen_reservation moved{{what.job, what.group}, what.placed_on, what.length_met};
  take_stolen({what.job, what.group, from, what.placed_on});
  if (!seen(moved.of))
    return;
  const auto& demand = group_of(moved.of).demand;
  for (const auto to : {what.to, from})
    if (takes(to, demand)) {
      place_again(moved, to, out);
      return;
    }
  place_again(moved, what.placed_on, out);
}

void queue_plugin_core::place_again(const stolen_reservation& what, machine_id on,
                                    sparrow_outbox& out) {
  const auto& group = group_of(what.of);
  if (!takes(on, group.demand))
    return; // it is the plugin's choice, which hears of that and moves the reservation itself
  const auto& j = *books_.jobs.find(what.of.job);
  queue_entry entry{
    entry_kind::reservation, {}, what.of.group, j.tenant, j.priority, what.placed_on,
    what.length_met};
  entry.order.task.job = what.of.job;
  entry.order.launcher = rules_.id;
  entry.order.demand = group.demand;
  entry.order.by_scheduler = true;
  entry.order.estimate = estimate_of(what.of.job);
  out.entries.emplace_back(on, entry);
  if (on == what.placed_on)
    return;
  auto& there = stolen_[on];
  std::erase_if(there, [&](const stolen_reservation& s) { return !seen(s.of); });
  there.push_back(what);
}

} // namespace troupe
