#include "actors/machine/node.hpp"

#include "actors/common/handlers.hpp"
#include "actors/common/light_actor.hpp"
#include "actors/common/prefetch.hpp"

#include <caf/send.hpp>

namespace troupe {

namespace {

using node_pointer = node_actor::stateful_pointer<node_state>;

/// Sets a timer for the end of the next task.
void arm(node_pointer self) {
  auto& state = self->state;
  const auto next = state.config.runs->next_due();
  if (next == instant::max() || (!state.timers.empty() && *state.timers.begin() <= next))
    return;
  state.timers.insert(next);
  self->scheduled_send(self, state.config.clock.at(next), due_atom_v);
}

/// Tells the machines that have queues which of their tasks have ended.
void tell_machines(node_pointer self) {
  const auto& machines = *self->state.config.machines;
  const auto& due = self->state.due;
  constexpr std::size_t ahead = 8;
  const auto at = [&](std::size_t i) {
    return caf::actor_cast<caf::actor_control_block*>(machines[due[i].end.machine]);
  };
  for (std::size_t i = 0; i < std::min(ahead, due.size()); ++i)
    prefetch_mailbox(at(i));
  for (std::size_t i = 0; i < due.size(); ++i) {
    if (i + ahead < due.size())
      prefetch_mailbox(at(i + ahead));
    if (due[i].end.outcome != task_outcome::preempted) // the machine has killed those itself
      lend_thread(self, machines[due[i].end.machine], ended_atom_v, due[i].run, due[i].end);
  }
}

/// Sets the timer for the reports of tasks that schedulers have launched themselves.
void announce(node_pointer self) {
  auto& state = self->state;
  if (state.report_pending || state.news.empty())
    return;
  state.report_pending = true;
  self->delayed_send(self, state.config.report_interval, report_atom_v);
}

void note(node_pointer self, const task_end_queue::entry& e) {
  auto& news = self->state.news;
  if (e.launcher < news.size())
    news[e.launcher].ended.push_back(e.end);
  announce(self);
}

/// Adds the starts that were not reported to the reports for schedulers.
void note_starts(node_pointer self) {
  auto& state = self->state;
  state.started.clear();
  state.config.runs->take_started(state.started);
  for (const auto& s : state.started)
    if (s.scheduler < state.news.size())
      state.news[s.scheduler].started.push_back(s.what);
}

void report_news(node_pointer self) {
  auto& state = self->state;
  state.report_pending = false;
  note_starts(self);
  for (scheduler_id s = 0; s < state.news.size(); ++s)
    if (auto& news = state.news[s]; !news.started.empty() || !news.ended.empty())
      caf::anon_send(state.schedulers[s], std::exchange(news, {}));
}

void report_due(node_pointer self) {
  auto& state = self->state;
  state.due.clear();
  state.config.runs->take_due(state.config.clock.now(self), state.due);
  if (state.config.hosts) {
    for (const auto& e : state.due)
      if (const auto& to = (*state.config.hosts)[e.end.machine];
          to && e.end.outcome != task_outcome::preempted) // the machine has killed those itself
        lend_thread(self, to, ended_atom_v, e.run, e.end);
    return;
  }
  if (state.config.machines)
    tell_machines(self);
  for (const auto& e : state.due) {
    if (!state.told_killed.empty() && state.told_killed.erase(e.run) > 0)
      continue;
    if (e.by_scheduler)
      note(self, e);
    else
      state.by_owner[e.launcher].push_back(e.end);
  }
  for (owner_id o = 0; o < state.owners.size(); ++o)
    if (auto& ended = state.by_owner[o]; !ended.empty()) {
      const auto about = ended.size(); // as many as the next time
      self->send(state.owners[o], task_ends{std::exchange(ended, {})});
      ended.reserve(about);
    }
}

/// Tells schedulers what a machine has from now on, behind all that has happened there before.
void tell_capacity(node_pointer self, const capacity_update& change) {
  auto& state = self->state;
  report_due(self);
  for (const auto& killed : change.killed)
    if (!state.config.runs->has_ended(killed.run)) { // else its end is on its way to the machine
      state.told_killed.insert(killed.run);
      if (killed.scheduler < state.news.size())
        state.news[killed.scheduler].ended.push_back(killed.end);
    }
  report_news(self);
  for (const auto& s : state.schedulers)
    if (s)
      caf::anon_send(s, change.what);
}

} // namespace

node_actor::behavior_type node(node_actor::stateful_pointer<node_state> self, node_config config) {
  install_handlers(self);
  self->state.config = std::move(config);
  return {
    [self](const peers& all) {
      self->state.owners = to_handles<owner_actor>(all.owners);
      self->state.by_owner.resize(self->state.owners.size());
      self->state.schedulers = to_handles<queue_client_actor>(all.schedulers);
      self->state.news.resize(self->state.schedulers.size());
    },
    [self](wake_atom) {
      arm(self);
      announce(self);
    },
    [self](due_atom) {
      auto& timers = self->state.timers;
      if (!timers.empty())
        timers.erase(timers.begin());
      report_due(self);
      arm(self);
    },
    [self](report_atom) { report_news(self); },
    [self](const capacity_update& change) { tell_capacity(self, change); },
    [self](sample_atom) {
      const auto& with = self->state.config;
      auto status = with.runs->status();
      if (with.meter)
        status.queues = with.meter->counts(with.clock.now(self));
      return status;
    },
  };
}

} // namespace troupe
