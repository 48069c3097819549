#include "actors/sparrow_scheduler.hpp"

#include "actors/handlers.hpp"
#include "actors/prefetch.hpp"

#include <caf/send.hpp>
#include <spdlog/spdlog.h>

namespace troupe {

namespace {

using sparrow_scheduler_pointer =
  sparrow_scheduler_actor::stateful_pointer<sparrow_scheduler_state>;

instant now(sparrow_scheduler_pointer self) {
  return self->state.config.clock.now(self);
}

/// Starts deciding on the next job, at `from`, unless a decision is under way.
void decide(sparrow_scheduler_pointer self, instant from) {
  auto& state = self->state;
  if (state.deciding || !state.ready)
    return;
  const auto cost = state.core->decide(from);
  if (!cost)
    return;
  state.deciding = true;
  state.decision_due = from + *cost;
  self->scheduled_send(self, state.config.clock.at(state.decision_due), decided_atom_v);
}

template <class Message>
void send_all(sparrow_scheduler_pointer self,
              const std::vector<std::pair<machine_id, Message>>& messages) {
  constexpr std::size_t ahead = 6;
  const auto& handles = *self->state.config.handles;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (i + ahead < messages.size())
      prefetch_mailbox(
        caf::actor_cast<caf::actor_control_block*>(handles[messages[i + ahead].first]));
    caf::anon_send(handles[messages[i].first], messages[i].second);
  }
}

/// Sends what the core wants sent.
void send(sparrow_scheduler_pointer self) {
  auto& out = self->state.out;
  send_all(self, out.entries);
  send_all(self, out.probes);
  send_all(self, out.cancellations);
  out.clear();
}

void watch_machines(sparrow_scheduler_pointer self) {
  auto& state = self->state;
  for (machine_id m = 0; m < state.config.handles->size(); ++m) {
    const auto& handle = (*state.config.handles)[m];
    state.machine_of.emplace(handle.id(), m);
    self->monitor(handle);
  }
  self->set_down_handler([self](caf::down_msg& down) {
    auto& st = self->state;
    const auto it = st.machine_of.find(down.source.id());
    if (it == st.machine_of.end())
      return;
    spdlog::info("scheduler {}: machine {} is gone", st.config.id, it->second);
    st.core->remove(it->second, now(self), st.out);
    send(self);
  });
}

} // namespace

sparrow_scheduler_actor::behavior_type
sparrow_scheduler(sparrow_scheduler_actor::stateful_pointer<sparrow_scheduler_state> self,
                  sparrow_scheduler_config config) {
  install_handlers(self);
  auto& state = self->state;
  state.config = std::move(config);
  state.core.emplace(state.config.id, *state.config.machines, state.config.limits,
                     state.config.random, state.config.group);
  if (state.config.watch_machines)
    watch_machines(self);
  return {
    [self](const get_task_request& request) {
      auto& st = self->state;
      caf::anon_send((*st.config.handles)[request.machine], st.core->hand_out(request, st.out));
      send(self);
    },
    [self](const probe_answer& answer) {
      auto& st = self->state;
      st.core->answer(answer, st.out);
      send(self);
    },
    [self](const task_news& news) {
      auto& st = self->state;
      st.core->book(news, st.out);
      send(self);
    },
    [self](decided_atom) {
      auto& st = self->state;
      st.deciding = false;
      st.core->place(st.out);
      send(self);
      // From when this decision was due: a late timer must not cost capacity.
      decide(self, st.decision_due);
    },
    [self](submission& incoming) {
      self->state.core->submit(std::move(incoming.jobs));
      decide(self, now(self));
    },
    [self](const peers&) {
      self->state.ready = true;
      decide(self, now(self));
    },
    [self](gone_atom, machine_id machine) {
      auto& st = self->state;
      st.core->remove(machine, now(self), st.out);
      send(self);
    },
    [self](sample_atom) {
      auto& st = self->state;
      return scheduler_status{st.config.id, st.core->idle(), st.core->take_samples(now(self)),
                              st.core->places()};
    },
  };
}

} // namespace troupe
