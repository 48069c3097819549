#include "actors/guarded_queue.hpp"

#include "actors/handlers.hpp"

#include <caf/send.hpp>

#include <algorithm>

namespace troupe {

namespace {

using guarded_queue_pointer = guarded_queue_actor::stateful_pointer<guarded_queue_state>;

instant now(guarded_queue_pointer self) {
  return self->state.config.clock.now(self);
}

caf::strong_actor_ptr reach(guarded_queue_pointer self, scheduler_id to, incarnation life) {
  return self->state.config.reach(role::scheduler, to, life);
}

/// Tells a scheduler what it is to be told.
void beat(guarded_queue_pointer self, scheduler_id to) {
  auto& guard = *self->state.guard;
  if (const auto handle = reach(self, to, guard.epoch(to)))
    caf::anon_send(caf::actor_cast<guarded_sparrow_actor>(handle), guard.beat(to, now(self)));
}

/// Tells a life of a scheduler that another one has taken over from it.
void depose(guarded_queue_pointer self, scheduler_id to, incarnation life) {
  if (const auto handle = reach(self, to, life))
    caf::anon_send(caf::actor_cast<guarded_sparrow_actor>(handle),
                   self->state.guard->notice(to, now(self)));
}

/// Shows a sign of life to a scheduler.
void pulse(guarded_queue_pointer self, scheduler_id to) {
  auto& state = self->state;
  const auto what = state.guard->pulse(to, now(self));
  if (const auto handle = reach(self, to, what.scheduler_life))
    caf::anon_send<caf::message_priority::high>(caf::actor_cast<guarded_sparrow_actor>(handle),
                                                what);
}

/// Heeds the leases that all machines of the node have got, and those that have run out.
void look_at_leases(guarded_queue_pointer self) {
  auto& state = self->state;
  if (const auto& board = state.config.board; board && board->version() != state.heeded) {
    state.heeded = board->version();
    for (const auto& lease : board->leases())
      state.guard->grant(*lease, now(self));
  }
  state.guard->expire(now(self));
}

/// Notes whether a machine that is to leave may do so.
void count_to_empty(guarded_queue_pointer self) {
  auto& state = self->state;
  const bool to_empty = state.guard->leaves() && !state.guard->idle();
  if (!state.config.to_empty || std::exchange(state.to_empty, to_empty) == to_empty)
    return;
  if (to_empty)
    ++*state.config.to_empty;
  else
    --*state.config.to_empty;
}

/// Tells what has happened, and sees to it that no lease runs out unseen.
void go_on(guarded_queue_pointer self) {
  auto& state = self->state;
  for (auto due = state.guard->due(); !due.empty(); due = state.guard->due())
    for (const auto s : due)
      beat(self, s);
  if (const auto first = state.guard->expires(); first < state.looks) {
    state.looks = first;
    self->scheduled_send(self, state.config.clock.at(first), wake_atom_v);
  }
  count_to_empty(self);
}

} // namespace

guarded_queue_actor::behavior_type
guarded_queue(guarded_queue_actor::stateful_pointer<guarded_queue_state> self,
              guarded_queue_config config) {
  install_handlers(self);
  auto& state = self->state;
  state.config = std::move(config);
  state.guard.emplace(state.config.rules, state.config.weights, *state.config.runs_on,
                      state.config.usage.get());
  self->send(self, beat_atom_v);
  return {
    [self](const queue_word& word) {
      auto& st = self->state;
      look_at_leases(self);
      if (!st.guard->hear(word, now(self)))
        depose(self, word.scheduler, word.scheduler_life);
      else if (st.config.board)
        st.config.board->obeys(word.scheduler, word.scheduler_life);
      go_on(self);
    },
    [self](const queue_lease& lease) {
      if (const auto& board = self->state.config.board)
        board->grant(lease);
      else
        self->state.guard->grant(lease, now(self));
      look_at_leases(self);
      go_on(self);
    },
    [self](ended_atom, run_number run, const task_end& end) {
      look_at_leases(self);
      self->state.guard->end(run, end, now(self));
      go_on(self);
    },
    [self](beat_atom) {
      auto& st = self->state;
      look_at_leases(self);
      st.next_beat = st.looks = now(self) + st.config.heartbeat;
      for (const auto s : st.guard->overdue(now(self)))
        beat(self, s);
      if (!st.config.board) {
        self->scheduled_send(self, st.config.clock.at(st.next_beat), beat_atom_v);
        for (const auto s : st.guard->watched())
          pulse(self, s);
      }
      go_on(self);
    },
    [self](wake_atom) {
      auto& st = self->state;
      look_at_leases(self);
      st.looks = st.next_beat;
      go_on(self);
    },
    [self](leave_atom) {
      self->state.guard->leave();
      go_on(self);
    },
    [self](status_atom) {
      return machine_status{self->state.config.rules.machine, self->state.guard->running()};
    },
  };
}

} // namespace troupe
