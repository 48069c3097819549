#include "actors/guarded_machine.hpp"

#include "actors/handlers.hpp"

#include <caf/send.hpp>

#include <algorithm>

namespace troupe {

namespace {

using guarded_machine_pointer = guarded_machine_actor::stateful_pointer<guarded_machine_state>;

instant now(guarded_machine_pointer self) {
  return self->state.config.clock.now(self);
}

void beat(guarded_machine_pointer self) {
  auto& state = self->state;
  if (!state.owner)
    return;
  state.last_beat = now(self);
  caf::anon_send(state.owner, state.guard->beat(*state.last_beat));
}

/// Finds the owner in that life, or for 0 in the latest one. A new life may be heard before it can
/// be found. Returns whether it has been found just now.
bool turn_to_owner(guarded_machine_pointer self, incarnation life) {
  auto& state = self->state;
  if (state.owner && life != 0 && life == state.owner_life)
    return false;
  const auto handle = state.config.reach(role::owner, state.config.owner, life);
  if (!handle)
    return false;
  state.owner = caf::actor_cast<guarded_owner_actor>(handle);
  state.owner_life = life;
  return true;
}

/// Tells a life of the owner that a later one has taken over. The master may not know of it.
void refuse(guarded_machine_pointer self, incarnation life) {
  const auto& state = self->state;
  if (const auto handle = state.config.reach(role::owner, state.config.owner, life))
    caf::anon_send(caf::actor_cast<guarded_owner_actor>(handle), state.guard->refusal(now(self)));
}

} // namespace

guarded_machine_actor::behavior_type
guarded_machine(guarded_machine_actor::stateful_pointer<guarded_machine_state> self,
                guarded_machine_config config) {
  install_handlers(self);
  self->state.config = std::move(config);
  self->state.guard.emplace(self->state.config.rules, *self->state.config.runs_on);
  self->send(self, beat_atom_v);
  return {
    [self](const machine_orders& orders) {
      auto& guard = *self->state.guard;
      guard.expire(now(self));
      guard.obey(orders, now(self));
    },
    [self](ended_atom, const task_end& end) {
      auto& guard = *self->state.guard;
      guard.expire(now(self));
      if (guard.end(end))
        beat(self);
    },
    [self](const owner_word& word) {
      auto& guard = *self->state.guard;
      guard.expire(now(self));
      const auto calls_for = guard.hear(word, now(self));
      if (calls_for == machine_guard::reaction::depose) {
        refuse(self, word.epoch);
        return;
      }
      const auto life = calls_for == machine_guard::reaction::turn ? word.epoch : guard.epoch();
      const bool turned = life != 0 && turn_to_owner(self, life);
      if (turned || calls_for != machine_guard::reaction::none)
        beat(self);
    },
    [self](beat_atom) {
      auto& state = self->state;
      state.guard->expire(now(self));
      const bool turned = turn_to_owner(self, state.guard->epoch());
      const auto& with = state.config;
      if (turned || !with.paced || !state.last_beat ||
          now(self) - *state.last_beat >= with.heartbeat / 2)
        beat(self);
      const auto next = now(self) + with.heartbeat;
      if (!with.paced || state.guard->expires() < next)
        self->scheduled_send(self, with.clock.at(std::min<instant>(next, state.guard->expires())),
                             beat_atom_v);
    },
    [self](leave_atom) {
      self->state.guard->leave();
      beat(self);
    },
    [self](status_atom) {
      return machine_status{self->state.config.rules.machine, self->state.guard->running()};
    },
  };
}

} // namespace troupe
