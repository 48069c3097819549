#include "actors/machine/churn.hpp"

#include "actors/common/handlers.hpp"

namespace troupe {

namespace {

using churn_pointer = churn_actor::stateful_pointer<churn_state>;

void tell_due(churn_pointer self) {
  auto& state = self->state;
  const auto& [changes, owner_of, machines, clock] = state.config;
  const auto now = clock.now(self);
  for (; state.next < changes.size() && changes[state.next].at <= now; ++state.next) {
    const auto& what = changes[state.next].what;
    if (owner_of.empty())
      self->send(state.machines[what.machine], what);
    else
      self->send(state.owners[owner_of[machines->place_of(what.machine).partition]], what);
  }
  if (state.next < changes.size())
    self->scheduled_send(self, clock.at(changes[state.next].at), due_atom_v);
}

} // namespace

churn_actor::behavior_type churn(churn_actor::stateful_pointer<churn_state> self,
                                 churn_config config) {
  install_handlers(self);
  self->state.config = std::move(config);
  return {
    [self](const peers& all) {
      self->state.owners = to_handles<owner_actor>(all.owners);
      self->state.machines = to_handles<queueing_machine_actor>(all.machines);
      tell_due(self);
    },
    [self](due_atom) { tell_due(self); },
  };
}

} // namespace troupe
