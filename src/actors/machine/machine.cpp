#include "actors/machine/machine.hpp"

#include "actors/common/spawn_light.hpp"
#include "actors/machine/core_host.hpp"

#include <algorithm>

namespace troupe {

namespace {

using machine_pointer = light_actor_of<machine_state>*;

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

void send_or_wait(machine_pointer self) {
  auto& tie = *self->state.tie;
  const auto& with = tie.config();
  tie.send_heartbeat_if_due(now(self));
  const auto next = now(self) + with.heartbeat;
  const auto due = tie.session().next_due(now(self));
  if (!with.paced || due < next)
    self->send_to_self_at(self->state.config->clock.at(std::min<instant>(next, due)),
                          heartbeat_atom_v);
}

/// Returns the tie to the owner, up to date, or null if failures are not watched.
owner_tie* tie_now(machine_pointer self) {
  auto* tie = self->state.tie.get();
  if (tie != nullptr && tie->catch_up(now(self)))
    tie->send_heartbeat(now(self));
  return tie;
}

void begin_session(machine_pointer self, const machine_session_config& config) {
  auto& state = self->state;
  state.tie = std::make_unique<owner_tie>(
    config, std::make_unique<core_host>(*state.core, *state.config->runs_on));
  self->send_to_self(heartbeat_atom_v);
}

auto reactions(machine_pointer self) {
  return overloaded{
    [self](const machine_order& order) {
      if (auto* tie = tie_now(self))
        tie->session().obey(order, now(self));
      else
        obey(self->state, order, now(self));
    },
    [self](ended_atom, run_number run, const task_end& end) {
      if (auto* tie = tie_now(self); tie != nullptr && tie->session().end(run, end, now(self)))
        tie->send_heartbeat(now(self));
    },
    [self](const lease_reply& word) {
      if (auto* tie = tie_now(self))
        tie->hear(word, now(self));
    },
    [self](const process_lease& lease) {
      auto* tie = self->state.tie.get();
      if (tie == nullptr)
        return;
      if (tie->config().board)
        tie->config().board->grant(lease);
      else
        tie->session().grant(lease);
      tie_now(self);
    },
    [self](heartbeat_atom) {
      if (tie_now(self) != nullptr)
        send_or_wait(self);
    },
    [self](leave_atom) {
      if (auto* tie = tie_now(self)) {
        tie->session().leave();
        tie->send_heartbeat(now(self));
      }
    },
  };
}

} // namespace

machine_actor spawn_machine(caf::actor_system& system, handling how, machine_id id,
                            const resources& capacity, std::shared_ptr<const machine_config> config,
                            const machine_session_config* session) {
  return spawn_light<machine_actor, machine_state, reactions>(
    system, how, [&](machine_pointer self) {
      self->state.config = std::move(config);
      self->state.core.emplace(id, capacity);
      if (session != nullptr)
        begin_session(self, *session);
    });
}

} // namespace troupe
