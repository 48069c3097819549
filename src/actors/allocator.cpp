#include "actors/allocator.hpp"

#include "actors/handlers.hpp"

#include <spdlog/spdlog.h>

namespace troupe {

namespace {

using self_pointer = allocator_actor::stateful_pointer<allocator_state>;

instant now(self_pointer self) {
  return self->state.config.clock.now(self);
}

/// Sees to it that a timer goes off when the next offer is to be asked after.
void arm(self_pointer self) {
  auto& state = self->state;
  const auto next = state.core->next_recall();
  if (next >= state.next_recall)
    return;
  state.next_recall = next;
  self->scheduled_send(self, state.config.clock.at(next), resend_atom_v);
}

void acknowledge(self_pointer self, owner_id owner) {
  auto& state = self->state;
  state.acknowledged[owner] = state.core->booked(owner);
  self->send(state.owners[owner], capacity_seen{state.acknowledged[owner]});
}

void begin_round(self_pointer self) {
  auto& state = self->state;
  for (owner_id o = 0; o < state.owners.size(); ++o)
    if (state.core->booked(o) > state.acknowledged[o])
      acknowledge(self, o);
  for (auto& [to, offer] : state.core->offer(now(self)))
    self->send(state.schedulers[to], std::move(offer));
  arm(self);
  ++state.rounds;
  const auto due = state.config.interval * static_cast<std::int64_t>(state.rounds);
  self->scheduled_send(self, state.config.clock.at(due), round_atom_v);
}

} // namespace

allocator_actor::behavior_type allocator(allocator_actor::stateful_pointer<allocator_state> self,
                                         allocator_config config) {
  install_handlers(self);
  auto& state = self->state;
  state.core.emplace(*config.machines, config.weights, config.group_of, config.rules);
  state.config = std::move(config);
  return {
    [self](const peers& all) {
      auto& st = self->state;
      st.owners = to_handles<owner_actor>(all.owners);
      st.schedulers = to_handles<placing_scheduler_actor>(all.schedulers);
      st.acknowledged.resize(st.owners.size());
      begin_round(self);
    },
    [self](const offer_answer& answer) {
      if (answer.framework < self->state.schedulers.size())
        self->state.core->answer(answer, now(self));
    },
    [self](const capacity_report& report) {
      auto& st = self->state;
      if (report.owner >= st.owners.size())
        return;
      const auto before = st.core->booked(report.owner);
      if (st.core->book(report, now(self)) == before) // it came again: its owner does not know
        acknowledge(self, report.owner);
    },
    [self](round_atom) { begin_round(self); },
    [self](resend_atom) {
      auto& st = self->state;
      st.next_recall = instant::max();
      for (auto& [to, recall] : st.core->recalls(now(self))) {
        if (recall.rescind)
          spdlog::debug("{} s: allocator: offer {} to scheduler {} has timed out",
                        to_seconds(now(self)), recall.id, to);
        self->send(st.schedulers[to], recall);
      }
      arm(self);
    },
    [self](sample_atom) { return self->state.core->take_sample(now(self)); },
  };
}

} // namespace troupe
