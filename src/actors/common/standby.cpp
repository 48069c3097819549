#include "actors/common/standby.hpp"

#include "actors/common/handlers.hpp"

#include <caf/send.hpp>

namespace troupe {

standby_actor::behavior_type standby(standby_actor::stateful_pointer<standby_state> self,
                                     standby_config config) {
  install_handlers(self);
  self->state.config = std::move(config);
  self->send(self, heartbeat_atom_v);
  return {
    [self](heartbeat_atom) {
      const auto& with = self->state.config;
      if (const auto master = with.reach(role::master, 0, 0)) {
        member_heartbeat heartbeat{{with.what, with.number, 0}, true, with.clock.now(self)};
        self->send<caf::message_priority::high>(caf::actor_cast<master_actor>(master),
                                                std::move(heartbeat));
      }
      self->delayed_send(self, with.heartbeat, heartbeat_atom_v);
    },
    [](const heartbeat_reply&) {},
    [self](const promotion& to) {
      self->state.config.start(to);
      self->quit();
    },
  };
}

} // namespace troupe
