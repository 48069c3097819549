#include "actors/owner/owner_failover.hpp"

#include "model/base/log.hpp"

#include <caf/send.hpp>

#include <algorithm>

namespace troupe {

namespace {

/// Sends snapshots of everything to a scheduler that was just told what is known of it. At the
/// start of the run there is nothing to tell.
void send_view(owner_pointer self, scheduler_id to) {
  auto& state = self->state;
  const bool at_start = state.leases->incarnation() == 1 && state.leases->incarnation_of(to) == 1;
  if (!state.config.plan.any() || at_start || !state.schedulers[to])
    return;
  const auto round = std::max<std::uint64_t>(state.round, 1);
  self->send(state.schedulers[to], state.core->sync_all(round, to, now(self)));
}

/// Sends the statements that are due. Schedulers are reached in their latest incarnations; those
/// that probe machines understand no statement, and get no view.
void state_what_is_known(owner_pointer self) {
  auto& state = self->state;
  for (auto& [to, statement] : state.leases->statements(now(self))) {
    if (std::ranges::binary_search(state.config.probers, to))
      continue;
    const auto handle =
      state.config.failover->reach(role::scheduler, to, state.leases->incarnation_of(to));
    state.schedulers[to] = caf::actor_cast<placing_scheduler_actor>(handle);
    if (handle)
      caf::anon_send(caf::actor_cast<placing_scheduler_actor>(handle), std::move(statement));
    send_view(self, to);
  }
}

void call_machines(owner_pointer self) {
  auto& state = self->state;
  for (auto& word : state.leases->calls())
    if (const auto handle = state.config.failover->reach(role::machine, word.machine, 0))
      caf::anon_send(caf::actor_cast<machine_actor>(handle), std::move(word));
}

void show_incarnation(owner_pointer self) {
  auto& state = self->state;
  const auto& with = *state.config.failover;
  if (const auto master = with.reach(role::master, 0, 0))
    self->send<caf::message_priority::high>(caf::actor_cast<master_actor>(master),
                                            state.member->heartbeat(now(self)));
}

} // namespace

bool quit_if_deposed(owner_pointer self) {
  auto& state = self->state;
  if (!state.leases->deposed() && !state.member->deposed())
    return false;
  log::info("owner {}: another one has taken over from incarnation {}", state.config.id,
            state.leases->incarnation());
  if (state.config.failover->retire)
    state.config.failover->retire();
  self->quit();
  return true;
}

void follow_up(owner_pointer self) {
  auto& state = self->state;
  if (state.leases->ready() && !std::exchange(state.said_ready, true))
    log::info("owner {}: grants in incarnation {}; {} machines have reported", state.config.id,
              state.leases->incarnation(), state.leases->present());
  if (state.leases->knows_all() && !std::exchange(state.said_all, true))
    log::info("owner {}: no machine is unknown in incarnation {}; {} are there", state.config.id,
              state.leases->incarnation(), state.leases->present());
  state_what_is_known(self);
  announce(self);
  tell_allocator(self);
}

void send_heartbeat(owner_pointer self) {
  auto& state = self->state;
  if (quit_if_deposed(self))
    return;
  const auto present = state.leases->present();
  state.leases->check(now(self));
  if (const auto left = state.leases->present(); left < present)
    log::info("owner {}: {} machines are silent and given up", state.config.id, present - left);
  show_incarnation(self);
  call_machines(self);
  follow_up(self);
  self->delayed_send(self, state.config.failover->heartbeat, heartbeat_atom_v);
}

void hear(owner_pointer self, const machine_heartbeat& heard) {
  auto& state = self->state;
  auto answer = state.leases->hear(heard, now(self));
  if (quit_if_deposed(self))
    return;
  auto& to = state.hosts[heard.machine];
  // One that has another's place in a cluster that grows is elsewhere.
  if (answer.new_incarnation || !to || (answer.word && answer.word->wants_all))
    to =
      caf::actor_cast<machine_actor>(state.config.failover->reach(role::machine, heard.machine, 0));
  if (to && answer.word)
    caf::anon_send(to, std::move(*answer.word));
  for (auto& order : answer.again)
    if (to)
      caf::anon_send(to, std::move(order));
  for (const auto& task : answer.killed)
    order(self, heard.machine, kill_order(task));
  follow_up(self);
}

void hear(owner_pointer self, const process_heartbeat& heard) {
  auto& state = self->state;
  const auto answer = state.leases->hear(heard, now(self));
  if (quit_if_deposed(self))
    return;
  const auto to = state.config.failover->reach(role::machine, heard.first, 0);
  if (to && answer.lease)
    caf::anon_send<caf::message_priority::high>(caf::actor_cast<machine_actor>(to), *answer.lease);
  for (const auto& [machine, order] : answer.again)
    if (const auto& host = state.hosts[machine])
      caf::anon_send(host, order);
  follow_up(self);
}

void watch_failures(owner_pointer self) {
  auto& state = self->state;
  const auto& with = *state.config.failover;
  state.member.emplace(with);
  std::vector<incarnation_id> incarnations;
  for (scheduler_id s = 0; s < state.config.schedulers; ++s)
    incarnations.push_back(state.member->incarnation_of(role::scheduler, s));
  state.schedulers.resize(incarnations.size());
  state.leases.emplace(*state.core, *state.config.machines, state.config.partitions,
                       std::move(incarnations), state.config.leases, now(self));
  self->send(self, heartbeat_atom_v);
}

} // namespace troupe
