#include "actors/owner_survival.hpp"

#include <caf/send.hpp>
#include <spdlog/spdlog.h>

#include <algorithm>

namespace troupe {

namespace {

/// Sends snapshots of everything to a scheduler that was just told what is known of it. At the
/// start of the run there is nothing to tell.
void send_view(owner_pointer self, scheduler_id to) {
  auto& state = self->state;
  const bool at_start = state.guard->epoch() == 1 && state.guard->life_of(to) == 1;
  if (!state.config.plan.any() || at_start || !state.schedulers[to])
    return;
  const auto round = std::max<std::uint64_t>(state.round, 1);
  self->send(state.schedulers[to], state.core->sync_all(round, to, now(self)));
}

/// Sends the statements that are due. Schedulers are reached in their latest lives.
void state_what_is_known(owner_pointer self) {
  auto& state = self->state;
  for (auto& [to, statement] : state.guard->statements(now(self))) {
    const auto handle = state.config.survival->reach(role::scheduler, to, state.guard->life_of(to));
    state.schedulers[to] = caf::actor_cast<placing_scheduler_actor>(handle);
    if (handle)
      caf::anon_send(caf::actor_cast<guarded_scheduler_actor>(handle), std::move(statement));
    send_view(self, to);
  }
}

void call_machines(owner_pointer self) {
  auto& state = self->state;
  for (auto& word : state.guard->calls())
    if (const auto handle = state.config.survival->reach(role::machine, word.machine, 0))
      caf::anon_send(caf::actor_cast<machine_actor>(handle), std::move(word));
}

void show_life(owner_pointer self) {
  auto& state = self->state;
  const auto& with = *state.config.survival;
  if (const auto master = with.reach(role::master, 0, 0))
    self->send<caf::message_priority::high>(caf::actor_cast<guarded_master_actor>(master),
                                            state.member->beat(now(self)));
}

} // namespace

bool quit_if_deposed(owner_pointer self) {
  auto& state = self->state;
  if (!state.guard->deposed() && !state.member->deposed())
    return false;
  spdlog::info("owner {}: another one has taken over from life {}", state.config.id,
               state.guard->epoch());
  if (state.config.survival->retire)
    state.config.survival->retire();
  self->quit();
  return true;
}

void follow_up(owner_pointer self) {
  auto& state = self->state;
  if (state.guard->ready() && !std::exchange(state.said_ready, true))
    spdlog::info("owner {}: grants in life {}; {} machines have reported", state.config.id,
                 state.guard->epoch(), state.guard->present());
  if (state.guard->knows_all() && !std::exchange(state.said_all, true))
    spdlog::info("owner {}: no machine is unknown in life {}; {} are there", state.config.id,
                 state.guard->epoch(), state.guard->present());
  state_what_is_known(self);
  announce(self);
  tell_allocator(self);
}

void beat(owner_pointer self) {
  auto& state = self->state;
  if (quit_if_deposed(self))
    return;
  const auto present = state.guard->present();
  state.guard->check(now(self));
  if (const auto left = state.guard->present(); left < present)
    spdlog::info("owner {}: {} machines are silent and given up", state.config.id, present - left);
  show_life(self);
  call_machines(self);
  follow_up(self);
  self->delayed_send(self, state.config.survival->heartbeat, beat_atom_v);
}

void hear(owner_pointer self, const machine_beat& heard) {
  auto& state = self->state;
  auto answer = state.guard->hear(heard, now(self));
  if (quit_if_deposed(self))
    return;
  auto& to = state.guarded[heard.machine];
  if (answer.new_life || !to)
    to =
      caf::actor_cast<machine_actor>(state.config.survival->reach(role::machine, heard.machine, 0));
  if (to && answer.word)
    caf::anon_send(to, std::move(*answer.word));
  for (auto& order : answer.again)
    if (to)
      caf::anon_send(to, std::move(order));
  follow_up(self);
}

void survive(owner_pointer self) {
  auto& state = self->state;
  const auto& with = *state.config.survival;
  state.member.emplace(with);
  std::vector<incarnation> lives;
  for (scheduler_id s = 0; s < state.config.schedulers; ++s)
    lives.push_back(state.member->life_of(role::scheduler, s));
  state.schedulers.resize(lives.size());
  state.guard.emplace(*state.core, *state.config.machines, state.config.partitions,
                      std::move(lives), state.config.guard, now(self));
  self->send(self, beat_atom_v);
}

} // namespace troupe
