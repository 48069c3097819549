#include "actors/machine/machine.hpp"

#include "actors/handlers.hpp"

#include <caf/send.hpp>

#include <algorithm>

namespace troupe {

namespace {

using machine_pointer = machine_actor::stateful_pointer<machine_state>;

instant now(machine_pointer self) {
  return self->state.config->clock.now(self);
}

// -- where nothing fails ------------------------------------------------------------------------

void obey(machine_state& state, const machine_order& order, instant now) {
  auto& runs_on = *state.config->runs_on;
  if (order.kill || !state.core->free().fits(order.what.demand))
    state.core->forget_ended(runs_on);
  if (order.kill)
    state.core->kill(order.what.task, runs_on);
  else
    state.core->start(order.what, runs_on, now);
}

// -- where failures are watched -----------------------------------------------------------------

void beat(machine_pointer self) {
  auto& tie = *self->state.tie;
  if (!tie.owner)
    return;
  tie.last_beat = now(self);
  caf::anon_send(tie.owner, tie.session.beat(*tie.last_beat));
}

/// Finds the owner in that life, or for 0 in the latest one. A new life may be heard before it can
/// be found. Returns whether it has been found just now.
bool turn_to_owner(machine_tie& tie, incarnation life) {
  if (tie.owner && life != 0 && life == tie.owner_life)
    return false;
  const auto handle = tie.config.reach(role::owner, tie.config.owner, life);
  if (!handle)
    return false;
  tie.owner = caf::actor_cast<guarded_owner_actor>(handle);
  tie.owner_life = life;
  return true;
}

/// Tells a life of the owner that a later one has taken over. The master may not know of it.
void refuse(machine_pointer self, incarnation life) {
  const auto& tie = *self->state.tie;
  if (const auto handle = tie.config.reach(role::owner, tie.config.owner, life))
    caf::anon_send(caf::actor_cast<guarded_owner_actor>(handle), tie.session.refusal(now(self)));
}

void hear(machine_pointer self, const owner_word& word) {
  auto& tie = *self->state.tie;
  const auto calls_for = tie.session.hear(word, now(self));
  if (calls_for == machine_session::reaction::depose) {
    refuse(self, word.epoch);
    return;
  }
  const auto life = calls_for == machine_session::reaction::turn ? word.epoch : tie.session.epoch();
  const bool turned = life != 0 && turn_to_owner(tie, life);
  if (turned || calls_for != machine_session::reaction::none)
    beat(self);
}

void beat_or_wait(machine_pointer self) {
  auto& tie = *self->state.tie;
  const auto& with = tie.config;
  const bool turned = turn_to_owner(tie, tie.session.epoch());
  if (turned || !with.paced || !tie.last_beat || now(self) - *tie.last_beat >= with.heartbeat / 2)
    beat(self);
  const auto next = now(self) + with.heartbeat;
  const auto expires = tie.session.expires();
  if (!with.paced || expires < next)
    self->scheduled_send(self, self->state.config->clock.at(std::min<instant>(next, expires)),
                         beat_atom_v);
}

/// Returns the session, up to date, or null where nothing fails.
machine_session* session_now(machine_pointer self) {
  auto* tie = self->state.tie.get();
  if (tie == nullptr)
    return nullptr;
  tie->session.expire(now(self));
  return &tie->session;
}

void begin_session(machine_pointer self, const machine_session_config& config) {
  auto& state = self->state;
  install_handlers(self);
  state.tie.reset(
    new machine_tie{config, machine_session{config.rules, *state.core, *state.config->runs_on}});
  self->send(self, beat_atom_v);
}

} // namespace

machine_actor::behavior_type machine(machine_actor::stateful_pointer<machine_state> self,
                                     machine_id id, const resources& capacity,
                                     std::shared_ptr<const machine_config> config,
                                     std::shared_ptr<const machine_session_config> session) {
  self->state.config = std::move(config);
  self->state.core.emplace(id, capacity);
  if (session)
    begin_session(self, *session);
  return {
    [self](const machine_order& order) {
      if (auto* with = session_now(self))
        with->obey(order, now(self));
      else
        obey(self->state, order, now(self));
    },
    [self](ended_atom, run_number run, const task_end& end) {
      if (auto* with = session_now(self); with != nullptr && with->end(run, end))
        beat(self);
    },
    [self](const owner_word& word) {
      if (session_now(self) != nullptr)
        hear(self, word);
    },
    [self](beat_atom) {
      if (session_now(self) != nullptr)
        beat_or_wait(self);
    },
    [self](leave_atom) {
      if (auto* with = session_now(self)) {
        with->leave();
        beat(self);
      }
    },
  };
}

} // namespace troupe
