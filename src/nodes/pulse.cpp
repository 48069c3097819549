#include "nodes/pulse.hpp"

#include "actors/handlers.hpp"
#include "actors/handles.hpp"

#include <caf/all.hpp>

namespace troupe {

namespace {

/// Into how many parts a heartbeat is cut.
constexpr std::size_t slices = 25;

void show_life(caf::stateful_actor<pulse_state>* self) {
  const auto& with = self->state.config;
  for (const auto& [scheduler, life] : with.board->obeyed())
    if (const auto to = with.reach(role::scheduler, scheduler, life))
      caf::anon_send<caf::message_priority::high>(
        caf::actor_cast<guarded_sparrow_actor>(to),
        queue_pulse{with.numbers.first, with.numbers.count, with.life, scheduler, life,
                    with.clock.now(self)});
}

} // namespace

caf::behavior pulse(caf::stateful_actor<pulse_state>* self, pulse_config config) {
  install_handlers(self);
  self->state.config = std::move(config);
  self->send(self, beat_atom_v);
  return {
    [self](beat_atom) {
      auto& [with, next] = self->state;
      if (next == 0 && with.board)
        show_life(self);
      for (auto m = next; m < with.machines.size(); m += slices)
        caf::anon_send(with.machines[m], beat_atom_v);
      next = (next + 1) % slices;
      self->delayed_send(self, with.heartbeat / static_cast<std::int64_t>(slices), beat_atom_v);
    },
  };
}

} // namespace troupe
