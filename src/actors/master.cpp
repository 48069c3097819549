#include "actors/master.hpp"

#include "actors/handlers.hpp"

#include <spdlog/spdlog.h>

namespace troupe {

void master_state::join(const member& who, caf::actor_id id) {
  leave(who);
  members_.push_back({who, id});
}

bool master_state::leave(const member& who) {
  return std::erase_if(members_, [&](const entry& e) {
           return e.who.what == who.what && e.who.number == who.number;
         }) > 0;
}

bool master_state::leave(caf::actor_id id) {
  return std::erase_if(members_, [id](const entry& e) { return e.id == id; }) > 0;
}

cluster_status master_state::status() const {
  cluster_status s{{}, rounds, map_version_};
  for (const auto& e : members_)
    s.members.push_back(e.who);
  return s;
}

namespace {

using self_pointer = master_actor::stateful_pointer<master_state>;

void schedule_next_round(self_pointer self) {
  const auto& state = self->state;
  if (state.config.plan.any())
    self->scheduled_send(self, state.config.clock.at(state.config.plan.due(state.rounds + 1)),
                         round_atom_v);
}

} // namespace

master_actor::behavior_type master(master_actor::stateful_pointer<master_state> self,
                                   master_config config) {
  install_handlers(self);
  self->state.config = std::move(config);
  self->set_down_handler([self](caf::down_msg& down) {
    if (self->state.leave(down.source.id()))
      spdlog::info("master: member {} has died", down.source.id());
  });
  return {
    [self](const peers& all) {
      self->state.owners = to_handles<owner_actor>(all.owners);
      schedule_next_round(self);
    },
    [self](join_atom, const member& who, const caf::strong_actor_ptr& handle) {
      if (!handle)
        return;
      self->state.join(who, handle->id());
      self->monitor(handle);
    },
    [self](gone_atom, const member& who) { self->state.leave(who); },
    [self](round_atom) {
      auto& state = self->state;
      ++state.rounds;
      for (const auto& o : state.owners)
        self->send(o, sync_round{state.rounds});
      schedule_next_round(self);
    },
    [self](map_atom) { return self->state.map(); },
    [self](status_atom) { return self->state.status(); },
  };
}

} // namespace troupe
