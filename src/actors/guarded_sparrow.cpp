#include "actors/guarded_sparrow.hpp"

#include "actors/handlers.hpp"

#include <caf/send.hpp>
#include <spdlog/spdlog.h>

namespace troupe {

namespace {

using guarded_sparrow_pointer = guarded_sparrow_actor::stateful_pointer<guarded_sparrow_state>;

instant now(guarded_sparrow_pointer self) {
  return self->state.config.clock.now(self);
}

/// Starts deciding on the next job, at `from`, unless a decision is under way.
void decide(guarded_sparrow_pointer self, instant from) {
  auto& state = self->state;
  const auto cost = state.deciding ? std::nullopt : state.core->decide(now(self), from);
  if (!cost)
    return;
  state.deciding = true;
  state.decision_due = from + *cost;
  self->scheduled_send(self, state.config.clock.at(state.decision_due), decided_atom_v);
}

/// Sends what is to be told, and goes on.
void go_on(guarded_sparrow_pointer self) {
  auto& state = self->state;
  const auto& reach = state.config.survival.reach;
  for (auto& word : state.core->words(now(self)))
    if (const auto to = reach(role::machine, word.machine, 0))
      caf::anon_send(caf::actor_cast<guarded_queue_actor>(to), std::move(word));
  for (auto& [store, news] : state.core->news(now(self)))
    if (const auto to = reach(role::workload, store, 0))
      caf::anon_send(caf::actor_cast<guarded_workload_actor>(to), std::move(news));
  decide(self, now(self));
}

void beat(guarded_sparrow_pointer self) {
  auto& state = self->state;
  const auto& with = state.config.survival;
  if (const auto master = with.reach(role::master, 0, 0))
    self->send<caf::message_priority::high>(caf::actor_cast<guarded_master_actor>(master),
                                            state.member->beat(now(self)));
  state.core->look_around(now(self));
  go_on(self);
  self->delayed_send<caf::message_priority::high>(self, with.heartbeat, beat_atom_v);
}

/// Ends, as another one has taken over.
void retire(guarded_sparrow_pointer self) {
  const auto& state = self->state;
  spdlog::info("scheduler {}: another one has taken over from life {}", state.config.id,
               state.member->as().life);
  if (state.config.survival.retire)
    state.config.survival.retire();
  self->quit();
}

scheduler_status sample_of(guarded_sparrow_pointer self) {
  auto& st = self->state;
  return {st.config.id, st.core->idle(), st.core->take_samples(now(self)), st.core->places()};
}

} // namespace

guarded_sparrow_actor::behavior_type
guarded_sparrow(guarded_sparrow_actor::stateful_pointer<guarded_sparrow_state> self,
                guarded_sparrow_config config) {
  install_handlers(self);
  auto& state = self->state;
  state.config = std::move(config);
  const auto& with = state.config;
  state.core.emplace(with.rules, with.id, *with.machines, with.limits, with.random, with.group,
                     now(self));
  state.member.emplace(with.survival);
  self->send(self, beat_atom_v);
  return {
    [self](const queue_beat& beat) {
      if (self->state.core->hear(beat, now(self)))
        go_on(self);
      else
        retire(self);
    },
    [self](const queue_pulse& pulse) {
      const auto lease = self->state.core->hear(pulse, now(self));
      const auto to =
        lease ? self->state.config.survival.reach(role::machine, pulse.first, 0) : nullptr;
      if (to)
        caf::anon_send<caf::message_priority::high>(caf::actor_cast<guarded_queue_actor>(to),
                                                    *lease);
    },
    [self](decided_atom) {
      auto& st = self->state;
      st.deciding = false;
      st.core->place(now(self));
      // From when this decision was due: a late timer must not cost capacity.
      decide(self, st.decision_due);
      go_on(self);
    },
    [self](beat_atom) { beat(self); },
    [self](const beat_answer& answer) {
      auto& st = self->state;
      st.member->hear(answer);
      if (st.core->vouched(answer.answers, now(self)))
        st.core->look_around(now(self));
      go_on(self);
    },
    [self](const roster& news) {
      auto& member = *self->state.member;
      if (member.hear(news) && member.deposed())
        retire(self);
    },
    [self](const job_delivery& what) {
      self->state.core->deliver(what, now(self));
      go_on(self);
    },
    [self](const store_seen& seen) { self->state.core->confirm(seen, now(self)); },
    [self](const peers&) { go_on(self); },
    [self](submission&) {
      spdlog::error("scheduler {}: a job came from an unknown job store", self->state.config.id);
    },
    [self](sample_atom) { return sample_of(self); },
    [self](const sample_request& asked) {
      auto& st = self->state;
      return st.unheard_samples.tell(asked.heard, st.member->as().life, sample_of(self));
    },
  };
}

} // namespace troupe
