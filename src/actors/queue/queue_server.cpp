#include "actors/queue/queue_server.hpp"

namespace troupe {

bool queue_server::push(const queue_entry& entry) {
  if (core_.push(entry))
    return true;
  rules_->runs_on->refuse(id_, entry.order);
  return false;
}

bool queue_server::obey(queue_entry& entry, queue_listener& to, instant now) {
  if (!log_.admits(entry.order.launcher, entry.order.demand) && entry.kind != entry_kind::granted)
    return false;
  if (entry.kind != entry_kind::reservation || entry.placed_on == id_) // else it was stolen
    entry.length_met = core_.length(entry.order.demand);
  push(entry);
  serve(to, now);
  return false;
}

bool queue_server::obey(const task_assignment& answer, queue_listener& to, instant now) {
  if (answer.cancels)
    obey(cancellation{answer.order.launcher, answer.order.task.job}, to, now);
  const auto scheduler = answer.order.launcher;
  const bool dropped = !answer.none && !log_.admits(scheduler, answer.order.demand);
  const auto order = dropped ? core_.answered({true, answer.group, answer.order})
                             : core_.answered(answer, to.may_start(scheduler, now), now);
  if (order)
    start(*order, to, now);
  serve(to, now);
  return !order;
}

bool queue_server::obey(const cancellation& what, queue_listener& to, instant now) {
  core_.cancel(what);
  serve(to, now); // a cancelled entry may have been at the head
  return false;
}

bool queue_server::obey(const queue_probe& probe, queue_listener& to, instant) {
  if (!core_.capacity().is_zero())
    to.tell(probe.scheduler, probe_answer{probe.round, probe.index, core_.length(probe.demand)});
  return false;
}

bool queue_server::obey(const capacity_heard& what, queue_listener&, instant) {
  log_.hear(what);
  return false;
}

bool queue_server::kill(const task_id& task, queue_listener& to, instant now) {
  auto& runs_on = *rules_->runs_on;
  if (const auto was = core_.kill(task)) {
    stopped(*was, now);
    runs_on.kill(id_, was->run);
    serve(to, now);
    return true;
  }
  if (const auto order = core_.remove(task)) {
    // Its launcher waits for its end: it is as if it had been killed on starting.
    if (order->by_scheduler && rules_->meter)
      rules_->meter->withdrawn();
    runs_on.kill(id_, runs_on.start(id_, *order, now));
    serve(to, now);
  }
  return false;
}

bool queue_server::take(const launch_order& order, std::uint32_t tenant, queue_listener& to,
                        instant now) {
  // Its tenant counts for windows. Without any, all such tasks are of the first tenant.
  const bool taken =
    push({entry_kind::granted, order, 0, core_.hours().any() ? tenant : std::uint32_t{0}});
  serve(to, now);
  return taken;
}

bool queue_server::revoke(const task_id& task, queue_listener& to, instant now) {
  const auto was = core_.kill(task);
  if (was)
    end_early({*was}, now);
  const bool waited = !was && core_.remove(task);
  serve(to, now);
  return was || waited;
}

void queue_server::revoke_granted(queue_listener& to, instant now) {
  end_early(core_.kill_granted(), now);
  core_.drop_granted();
  serve(to, now);
}

std::optional<queueing_machine_core::running_task> queue_server::ended(run_number run,
                                                                       instant now) {
  auto was = core_.ended(run);
  if (was)
    stopped(*was, now);
  return was;
}

void queue_server::resize(const resources& by, instant now) {
  if (rules_->meter)
    rules_->meter->resized(by, core_.unused(), now);
  core_.resize(by);
}

std::vector<queueing_machine_core::running_task> queue_server::shrink(queue_listener& to,
                                                                      instant now) {
  for (const auto& e : core_.take_unfit())
    if (e.kind == entry_kind::reservation && e.placed_on != id_) {
      // Its scheduler may not know that it was here: it must not wait for it.
      core_.note_request(e);
      ask_for(e, to);
    }
  core_.release_holds();
  auto killed = core_.kill_excess();
  end_early(killed, now);
  return killed;
}

void queue_server::ask_for(const queue_entry& reservation, queue_listener& to) const {
  to.tell(reservation.order.launcher,
          get_task_request{reservation.order.task.job, reservation.group, id_,
                           reservation.placed_on, reservation.length_met});
}

void queue_server::return_closed(queue_listener& to, instant now) {
  for (const auto& e : core_.take_closed(now)) {
    core_.note_request(e);
    ask_for(e, to);
  }
}

std::vector<queue_entry> queue_server::give_away(machine_id thief, instant now) {
  if (!rules_->windows)
    return core_.give_away();
  return core_.give_away(machine_hours{rules_->windows, thief}, now);
}

void queue_server::serve(queue_listener& to, instant now) {
  return_closed(to, now);
  for (const auto* head = core_.head(now); head != nullptr; head = core_.head(now)) {
    const auto scheduler = head->order.launcher;
    if (head->kind == entry_kind::task && !to.may_start(scheduler, now))
      return;
    const auto entry = core_.next(now);
    if (!entry)
      return;
    if (entry->kind == entry_kind::reservation)
      ask_for(*entry, to);
    else
      start(entry->order, to, now);
  }
}

void queue_server::take_in(const std::vector<queue_entry>& entries, queue_listener& to) {
  for (const auto& e : entries)
    if (!core_.push(e)) { // it has less than the machine that has given them
      core_.note_request(e);
      ask_for(e, to);
    }
}

void queue_server::start(const launch_order& order, queue_listener& to, instant now) {
  const auto* task = core_.find(order.task);
  if (rules_->meter && task != nullptr)
    rules_->meter->started(*task, core_.unused() + order.demand, now);
  const bool granted = task != nullptr && task->granted;
  core_.started(order.task, rules_->runs_on->start(id_, order, now));
  if (!granted)
    to.started(order.launcher, {order.task, id_, now});
}

void queue_server::stopped(const task_use& was, instant now) {
  if (rules_->meter)
    rules_->meter->ended(was, core_.unused() - was.demand, now);
}

void queue_server::kill_all(scheduler_id scheduler, instant now) {
  end_early(core_.kill_all(scheduler), now);
}

void queue_server::end_early(const std::vector<queueing_machine_core::running_task>& killed,
                             instant now) {
  auto unused = core_.unused();
  for (auto it = killed.rbegin(); it != killed.rend(); ++it) {
    unused -= it->demand;
    rules_->runs_on->kill(id_, it->run);
    if (rules_->meter)
      rules_->meter->ended(*it, unused, now);
  }
}

void queue_server::died(instant now) const {
  if (!rules_->meter)
    return;
  auto unused = core_.unused();
  for (const auto& task : core_.tasks()) {
    rules_->meter->ended(task, unused, now);
    unused += task.demand;
  }
  if (core_.capacity() != whole_)
    rules_->meter->resized(whole_ - core_.capacity(), unused, now);
}

} // namespace troupe
