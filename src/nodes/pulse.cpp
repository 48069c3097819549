#include "nodes/pulse.hpp"

#include "actors/handlers.hpp"

#include <caf/all.hpp>

namespace troupe {

namespace {

/// Into how many parts a heartbeat is cut.
constexpr std::size_t slices = 25;

} // namespace

caf::behavior pulse(caf::stateful_actor<pulse_state>* self, std::vector<caf::actor> machines,
                    duration heartbeat) {
  install_handlers(self);
  self->state.machines = std::move(machines);
  self->send(self, beat_atom_v);
  return {
    [self, heartbeat](beat_atom) {
      auto& [all, next] = self->state;
      for (auto m = next; m < all.size(); m += slices)
        caf::anon_send(all[m], beat_atom_v);
      next = (next + 1) % slices;
      self->delayed_send(self, heartbeat / static_cast<std::int64_t>(slices), beat_atom_v);
    },
  };
}

} // namespace troupe
