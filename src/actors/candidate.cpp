#include "actors/candidate.hpp"

#include "actors/handlers.hpp"

#include <caf/send.hpp>

namespace troupe {

candidate_actor::behavior_type candidate(candidate_actor::stateful_pointer<candidate_state> self,
                                         candidate_config config) {
  install_handlers(self);
  self->state.config = std::move(config);
  self->send(self, beat_atom_v);
  return {
    [self](beat_atom) {
      const auto& with = self->state.config;
      if (const auto master = with.reach(role::master, 0, 0)) {
        member_beat beat{{with.what, with.number, 0}, true, with.clock.now(self)};
        self->send<caf::message_priority::high>(caf::actor_cast<guarded_master_actor>(master),
                                                std::move(beat));
      }
      self->delayed_send(self, with.heartbeat, beat_atom_v);
    },
    [](const beat_answer&) {},
    [self](const promotion& to) {
      self->state.config.start(to);
      self->quit();
    },
  };
}

} // namespace troupe
