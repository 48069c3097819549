#include "actors/queueing_machine.hpp"

#include <caf/send.hpp>

namespace troupe {

namespace {

using queueing_machine_pointer = queueing_machine_actor::stateful_pointer<queueing_machine_state>;

instant now(queueing_machine_pointer self) {
  return self->state.config->clock.now(self);
}

/// Starts a task that the core has made room for.
void start(queueing_machine_pointer self, const launch_order& order) {
  auto& core = *self->state.core;
  const auto& config = *self->state.config;
  if (const auto* task = core.find(order.task))
    config.meter->started(*task, core.unused() + order.demand, now(self));
  core.started(order.task, config.runs_on->start(self->state.id, order, now(self)));
}

/// Books a task that runs no more.
void stopped(queueing_machine_pointer self, const task_use& was) {
  const auto& state = self->state;
  state.config->meter->ended(was, state.core->unused() - was.demand, now(self));
}

void ask_for_task(queueing_machine_pointer self, const queue_entry& entry) {
  const auto& order = entry.order;
  caf::anon_send(self->state.config->neighbours->schedulers[order.owner],
                 get_task_request{order.task.job, entry.group, self->state.id, entry.placed_on,
                                  entry.length_met});
}

/// Asks the next machine for work, if there is none here.
void steal(queueing_machine_pointer self) {
  auto& state = self->state;
  const auto& config = *state.config;
  if (state.stealing || state.attempts_left == 0 || !state.core->idle(config.unit))
    return;
  const bool one_of_them = state.id < config.steal_below;
  const auto others = config.steal_below - one_of_them;
  if (others == 0)
    return;
  auto victim = static_cast<machine_id>(state.random.below(others));
  victim += one_of_them && victim >= state.id;
  --state.attempts_left;
  state.stealing = true;
  config.meter->asked_for_work();
  caf::anon_send(config.neighbours->machines[victim], steal_atom_v, state.id);
}

/// Starts and asks for whatever fits.
void serve(queueing_machine_pointer self) {
  while (const auto entry = self->state.core->next())
    if (entry->kind == entry_kind::reservation)
      ask_for_task(self, *entry);
    else
      start(self, entry->order);
}

/// The same after something has been freed: where nothing waits, others are asked for work.
void go_on(queueing_machine_pointer self) {
  serve(self);
  self->state.attempts_left = self->state.config->steal_attempts;
  steal(self);
}

void push(queueing_machine_pointer self, const queue_entry& entry) {
  auto& state = self->state;
  if (!state.core->push(entry))
    state.config->runs_on->refuse(state.id, entry.order);
}

void kill(queueing_machine_pointer self, const task_id& task) {
  auto& state = self->state;
  const auto& config = *state.config;
  if (const auto was = state.core->kill(task)) {
    stopped(self, *was);
    config.runs_on->kill(state.id, was->run);
    go_on(self);
  } else if (const auto order = state.core->remove(task)) {
    // Whoever has launched it waits for its end: it is as if it had been killed on starting.
    if (order->by_scheduler)
      config.meter->withdrawn();
    config.runs_on->kill(state.id, config.runs_on->start(state.id, *order, now(self)));
    serve(self);
  }
}

} // namespace

queueing_machine_actor::behavior_type
queueing_machine(queueing_machine_actor::stateful_pointer<queueing_machine_state> self,
                 machine_id id, const resources& capacity,
                 std::shared_ptr<const queueing_machine_config> config) {
  auto& state = self->state;
  state.id = id;
  state.core.emplace(capacity, config->discipline, config->weights);
  state.random = random_stream::derive(config->seed, "machine", id);
  state.config = std::move(config);
  return {
    [self](queue_entry& entry) {
      entry.length_met = self->state.core->length(entry.order.demand);
      push(self, entry);
      serve(self);
    },
    [self](const task_assignment& answer) {
      if (const auto order = self->state.core->answered(answer)) {
        start(self, *order);
        serve(self);
      } else {
        go_on(self);
      }
    },
    [self](ended_atom, const task_id& task) {
      if (const auto was = self->state.core->ended(task)) {
        stopped(self, *was);
        go_on(self);
      }
    },
    [self](const cancellation& what) {
      self->state.core->cancel(what);
      serve(self); // what was cancelled may have been in the way
    },
    [self](const queue_probe& probe) {
      const auto& st = self->state;
      caf::anon_send(st.config->neighbours->schedulers[probe.scheduler],
                     probe_answer{probe.round, probe.index, st.core->length(probe.demand)});
    },
    [self](steal_atom, machine_id thief) {
      auto& st = self->state;
      caf::anon_send(st.config->neighbours->machines[thief],
                     stolen_entries{st.id, st.core->give_away()});
      serve(self);
    },
    [self](const stolen_entries& loot) {
      auto& st = self->state;
      st.stealing = false;
      if (!loot.entries.empty()) {
        st.config->meter->stole(loot.entries.size());
        st.attempts_left = 0;
      }
      for (const auto& e : loot.entries)
        push(self, e);
      serve(self);
      steal(self);
    },
    [self](const machine_order& order) {
      if (order.kill) {
        kill(self, order.what.task);
        return;
      }
      push(self, {entry_kind::granted, order.what});
      serve(self);
    },
    [self](status_atom) {
      return machine_status{self->state.id, self->state.core->running()};
    },
  };
}

} // namespace troupe
