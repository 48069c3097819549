#include "actors/queue/queueing_machine_failover.hpp"

#include "actors/queue/granted_tasks.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <utility>

namespace troupe {

queueing_machine_actor neighbour(queueing_machine_pointer self, machine_id other) {
  const auto& [tie, config, serves, stealing, opens] = self->state;
  const auto& reach = tie->config.reach_machines;
  if (!reach || other >= config->machines)
    return {};
  return caf::actor_cast<queueing_machine_actor>(reach(role::machine, other, 0));
}

namespace {

caf::strong_actor_ptr reach(queueing_machine_pointer self, scheduler_id to,
                            incarnation_id incarnation) {
  return self->state.tie->config.reach(role::scheduler, to, incarnation);
}

/// Sends the message that is due to a scheduler.
void send_report(queueing_machine_pointer self, scheduler_id to) {
  auto& sessions = self->state.tie->sessions;
  if (const auto handle = reach(self, to, sessions.scheduler_incarnation(to)))
    caf::anon_send(caf::actor_cast<sparrow_scheduler_actor>(handle),
                   sessions.report(to, now(self)));
}

/// Informs an incarnation of a scheduler that it was replaced.
void depose(queueing_machine_pointer self, scheduler_id to, incarnation_id incarnation) {
  if (const auto handle = reach(self, to, incarnation))
    caf::anon_send(caf::actor_cast<sparrow_scheduler_actor>(handle),
                   self->state.tie->sessions.notice(to, now(self)));
}

/// Sends a heartbeat to a scheduler.
void show_life(queueing_machine_pointer self, scheduler_id to) {
  const auto what = self->state.tie->sessions.sign_of_life(to, now(self));
  if (const auto handle = reach(self, to, what.obeyed))
    caf::anon_send<caf::message_priority::high>(caf::actor_cast<sparrow_scheduler_actor>(handle),
                                                what);
}

/// Notes whether a machine that is to leave may do so.
void count_to_empty(queue_tie& tie) {
  const bool to_empty = tie.sessions.leaves() && !tie.sessions.idle();
  if (!tie.config.to_empty || std::exchange(tie.to_empty, to_empty) == to_empty)
    return;
  if (to_empty)
    ++*tie.config.to_empty;
  else
    --*tie.config.to_empty;
}

/// Asks other machines for work after resources were freed, if no entry waits.
void look_for_work(queueing_machine_pointer self, queue_tie& tie) {
  auto& [_, config, serves, stealing, opens] = self->state;
  const bool freed = tie.sessions.take_freed();
  if (config->steal_attempts == 0 || tie.sessions.leaves())
    return;
  if (freed)
    stealing.restart(config->steal_attempts);
  const bool waited = stealing.waits();
  steal(self);
  if (!waited && stealing.waits())
    tie.asked_for_work = now(self);
}

/// Asks the next machine if the last one has not answered and may never do so.
void ask_again(queueing_machine_pointer self, queue_tie& tie) {
  auto& stealing = self->state.stealing;
  if (stealing.waits() && now(self) - tie.asked_for_work >= tie.config.rules.patience)
    stealing.answered(false);
}

/// Has the server keep to the trace. Returns whether the machine has more or less than before.
bool follow_trace(queueing_machine_pointer self, queue_tie& tie) {
  const auto change = tie.capacity.catch_up(now(self));
  if (!change.is_zero())
    self->state.serves->resize(change, now(self));
  return !change.is_zero();
}

/// Drops the tasks of an owner whose lease has run out, and keeps to what the machine has now. The
/// caller must do so before a scheduler's lease lets the queue go on, which would start such a
/// task.
void catch_up(queueing_machine_pointer self, queue_tie& tie) {
  const bool changes = tie.owner ? tie.owner->catch_up(now(self)) : follow_trace(self, tie);
  if (!changes)
    return;
  tie.sessions.change_capacity(now(self));
  if (tie.owner)
    tie.owner->send_heartbeat(now(self));
}

/// Returns when the first lease runs out, the trace changes what the machine has, or a window ends.
instant next_due(const queue_tie& tie, const queue_server& serves, instant now) {
  const auto other = tie.owner ? tie.owner->session().next_due(now) : tie.capacity.next(now);
  return std::min<instant>({tie.sessions.expires(), other, serves.opens(now)});
}

/// Goes on with what a window may have kept away, and returns reservations for which there is no
/// time before the next one.
void heed_windows(queueing_machine_pointer self, queue_tie& tie) {
  auto& serves = *self->state.serves;
  if (serves.core().hours().any())
    serves.serve(tie.sessions, now(self));
}

/// Sends the messages that are due, and sets the timer for the end of the next lease.
void go_on(queueing_machine_pointer self) {
  auto& tie = *self->state.tie;
  for (auto due = tie.sessions.due(); !due.empty(); due = tie.sessions.due())
    for (const auto s : due)
      send_report(self, s);
  look_for_work(self, tie);
  if (const auto first = next_due(tie, *self->state.serves, now(self)); first < tie.looks) {
    tie.looks = first;
    self->send_to_self_at(self->state.config->clock.at(first), wake_atom_v);
  }
  count_to_empty(tie);
}

} // namespace

void begin_sessions(queueing_machine_pointer self, const queue_session_config& config) {
  auto& state = self->state;
  state.tie.reset(new queue_tie{config, queue_sessions{config.rules, *state.serves}});
  if (!config.owner)
    state.tie->capacity =
      capacity_clock{config.capacities, config.capacities_from, state.serves->whole()};
  if (config.owner)
    state.tie->owner = std::make_unique<owner_tie>(
      *config.owner, std::make_unique<granted_tasks>(*state.serves, state.tie->sessions));
  self->send_to_self(heartbeat_atom_v);
}

queue_tie* tie_now(queueing_machine_pointer self) {
  auto* tie = self->state.tie.get();
  if (tie == nullptr)
    return nullptr;
  catch_up(self, *tie);
  if (const auto& board = tie->config.board; board && board->version() != tie->heeded)
    for (const auto& lease : board->leases_after(tie->heeded))
      tie->sessions.grant(*lease, now(self));
  tie->sessions.expire(now(self));
  return tie;
}

void look_around(queueing_machine_pointer self, queue_tie& tie) {
  tie.next_heartbeat = tie.looks = now(self) + tie.config.heartbeat;
  for (const auto s : tie.sessions.overdue(now(self)))
    send_report(self, s);
  if (tie.owner)
    tie.owner->send_heartbeat_if_due(now(self));
  ask_again(self, tie);
  heed_windows(self, tie);
  if (!tie.config.board) {
    self->send_to_self_at(self->state.config->clock.at(tie.next_heartbeat), heartbeat_atom_v);
    for (const auto s : tie.sessions.watched())
      show_life(self, s);
  }
  go_on(self);
}

void wake(queueing_machine_pointer self, queue_tie& tie) {
  tie.looks = tie.next_heartbeat;
  heed_windows(self, tie);
  go_on(self);
}

void hear(queueing_machine_pointer self, queue_tie& tie, const queue_orders& orders) {
  if (!tie.sessions.hear(orders, now(self)))
    depose(self, orders.scheduler, orders.scheduler_incarnation);
  else if (tie.config.board)
    tie.config.board->obeys({role::scheduler, orders.scheduler, orders.scheduler_incarnation});
  go_on(self);
}

void take_lease(queueing_machine_pointer self, const process_lease& lease) {
  auto& tie = *self->state.tie;
  catch_up(self, tie);
  if (tie.config.board)
    tie.config.board->grant(lease);
  else if (lease.from == role::scheduler)
    tie.sessions.grant(lease, now(self));
  else if (tie.owner)
    tie.owner->session().grant(lease);
  tie_now(self);
  go_on(self);
}

void hear(queueing_machine_pointer self, queue_tie& tie, const lease_reply& word) {
  if (!tie.owner)
    return;
  tie.owner->hear(word, now(self));
  go_on(self);
}

void obey(queueing_machine_pointer self, queue_tie& tie, const machine_order& order) {
  if (!tie.owner)
    return;
  tie.owner->session().obey(order, now(self));
  go_on(self);
}

void book_end(queueing_machine_pointer self, queue_tie& tie, run_number run, const task_end& end) {
  if (!tie.owner || !self->state.serves->core().is_granted(run))
    tie.sessions.end(run, end, now(self));
  else if (tie.owner->session().end(run, end, now(self)))
    tie.owner->send_heartbeat(now(self));
  go_on(self);
}

void give_away(queueing_machine_pointer self, queue_tie& tie, machine_id thief) {
  const auto to = neighbour(self, thief);
  if (!to)
    return;
  caf::anon_send(
    to, stolen_entries{self->state.serves->id(), tie.sessions.give_away(thief, now(self))});
  go_on(self);
}

void hear(queueing_machine_pointer self, queue_tie&, const stolen_entries& loot) {
  if (self->state.stealing.waits())
    note_answer(self, loot);
  go_on(self);
}

void leave(queueing_machine_pointer self, queue_tie& tie) {
  tie.sessions.leave();
  if (tie.owner) {
    tie.owner->session().leave();
    tie.owner->send_heartbeat(now(self));
  }
  go_on(self);
}

} // namespace troupe
