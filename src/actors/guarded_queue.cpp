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

/// Shows a sign of life to the life of a scheduler.
void beat(guarded_queue_pointer self, scheduler_id to, incarnation life) {
  auto& state = self->state;
  if (const auto handle = state.config.reach(role::scheduler, to, life))
    caf::anon_send(caf::actor_cast<guarded_sparrow_actor>(handle),
                   state.guard->beat(to, now(self)));
}

void beat(guarded_queue_pointer self, scheduler_id to) {
  beat(self, to, self->state.guard->epoch(to));
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
  for (const auto s : state.guard->due())
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
      auto& guard = *self->state.guard;
      guard.expire(now(self));
      if (!guard.hear(word, now(self)))
        beat(self, word.scheduler, word.scheduler_life);
      go_on(self);
    },
    [self](ended_atom, run_number run, const task_end& end) {
      auto& guard = *self->state.guard;
      guard.expire(now(self));
      guard.end(run, end, now(self));
      go_on(self);
    },
    [self](beat_atom) {
      auto& st = self->state;
      st.guard->expire(now(self));
      st.next_beat = st.looks = now(self) + st.config.heartbeat;
      if (!st.config.paced)
        self->scheduled_send(self, st.config.clock.at(st.next_beat), beat_atom_v);
      go_on(self);
      for (const auto s : st.guard->watched())
        beat(self, s);
    },
    [self](wake_atom) {
      auto& st = self->state;
      st.guard->expire(now(self));
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
