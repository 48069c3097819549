#include "nodes/routing/heartbeat_pacer.hpp"

#include "actors/common/handlers.hpp"
#include "actors/common/light_actor.hpp"
#include "actors/protocol/handles.hpp"

#include <caf/all.hpp>

#include <algorithm>

namespace troupe {

namespace {

/// The most parts of a heartbeat interval.
constexpr std::size_t most_slices = 25;

/// The least number of machines in a part: smaller parts would wake the other nodes more often, and
/// spread no work worth it.
constexpr std::size_t least_slice = 64;

std::size_t slices_of(std::size_t machines) {
  return std::clamp<std::size_t>(machines / least_slice, 1, most_slices);
}

void show_incarnation(caf::stateful_actor<heartbeat_pacer_state>* self) {
  const auto& with = self->state.config;
  for (const auto& [what, number, incarnation] : with.board->obeyed()) {
    const auto to = with.reach(what, number, incarnation);
    if (!to)
      continue;
    const process_heartbeat heartbeat{
      with.numbers.first, with.numbers.count,  with.incarnation, what, number,
      incarnation,        with.clock.now(self)};
    if (what == role::owner)
      caf::anon_send<caf::message_priority::high>(caf::actor_cast<owner_actor>(to), heartbeat);
    else
      caf::anon_send<caf::message_priority::high>(caf::actor_cast<sparrow_scheduler_actor>(to),
                                                  heartbeat);
  }
}

} // namespace

caf::behavior heartbeat_pacer(caf::stateful_actor<heartbeat_pacer_state>* self,
                              heartbeat_pacer_config config) {
  install_handlers(self);
  self->state.config = std::move(config);
  self->send(self, heartbeat_atom_v);
  return {
    [self](heartbeat_atom) {
      auto& [with, next] = self->state;
      const auto slices = slices_of(with.machines.size());
      if (next == 0)
        show_incarnation(self);
      for (auto m = next; m < with.machines.size(); m += slices)
        lend_thread(self, with.machines[m], heartbeat_atom_v);
      next = (next + 1) % slices;
      self->delayed_send(self, with.heartbeat / static_cast<std::int64_t>(slices),
                         heartbeat_atom_v);
    },
  };
}

} // namespace troupe
