#include "actors/node.hpp"

#include "actors/handlers.hpp"

namespace troupe {

namespace {

using self_pointer = node_actor::stateful_pointer<node_state>;

/// Makes sure that a timer goes off when the next task ends.
void arm(self_pointer self) {
  auto& state = self->state;
  const auto next = state.config.runs->next_due();
  if (next == instant::max() || (!state.timers.empty() && *state.timers.begin() <= next))
    return;
  state.timers.insert(next);
  self->scheduled_send(self, state.config.clock.at(next), due_atom_v);
}

void report_due(self_pointer self) {
  auto& state = self->state;
  state.due.clear();
  state.config.runs->take_due(state.config.clock.now(self), state.due);
  for (const auto& e : state.due)
    state.by_owner[e.owner].push_back(e.end);
  for (owner_id o = 0; o < state.owners.size(); ++o)
    if (!state.by_owner[o].empty())
      self->send(state.owners[o], task_ends{std::exchange(state.by_owner[o], {})});
}

} // namespace

node_actor::behavior_type node(node_actor::stateful_pointer<node_state> self, node_config config) {
  install_handlers(self);
  self->state.config = std::move(config);
  return {
    [self](const peers& all) {
      self->state.owners = to_handles<owner_actor>(all.owners);
      self->state.by_owner.resize(self->state.owners.size());
    },
    [self](wake_atom) { arm(self); },
    [self](due_atom) {
      auto& timers = self->state.timers;
      if (!timers.empty())
        timers.erase(timers.begin());
      report_due(self);
      arm(self);
    },
    [self](sample_atom) { return self->state.config.runs->status(); },
  };
}

} // namespace troupe
