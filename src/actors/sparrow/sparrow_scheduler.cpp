#include "actors/sparrow/sparrow_scheduler.hpp"

#include "actors/common/handlers.hpp"
#include "actors/common/light_actor.hpp"
#include "actors/common/prefetch.hpp"
#include "model/base/log.hpp"

#include <caf/send.hpp>

namespace troupe {

namespace {

using sparrow_scheduler_pointer =
  sparrow_scheduler_actor::stateful_pointer<sparrow_scheduler_state>;

instant now(sparrow_scheduler_pointer self) {
  return self->state.config.clock.now(self);
}

/// Waits for the next end of a window of machines, if they have any: jobs may lack machines then.
void wait_for_opening(sparrow_scheduler_pointer self) {
  auto& state = self->state;
  const auto* windows = state.config.machines->windows();
  if (windows == nullptr || state.opens < instant::max())
    return;
  state.opens = windows->next_end(now(self));
  if (state.opens < instant::max())
    self->scheduled_send(self, state.config.clock.at(state.opens), wake_atom_v);
}

/// Starts deciding on the next job, at `from`, unless a decision is under way.
void decide(sparrow_scheduler_pointer self, instant from) {
  auto& state = self->state;
  const bool ready = state.tie ? state.tie->session.knows_machines(now(self)) : state.ready;
  if (state.deciding || !ready)
    return;
  const auto cost = state.core->decide(from);
  if (!cost)
    return;
  wait_for_opening(self);
  state.deciding = true;
  state.decision_due = from + *cost;
  self->scheduled_send(self, state.config.clock.at(state.decision_due), decided_atom_v);
}

/// Sends the messages of the core, at once or in the sessions with machines.
void send(sparrow_scheduler_pointer self) {
  auto& state = self->state;
  if (state.tie) {
    state.tie->session.send(state.out, now(self));
    return;
  }
  state.out.each_kind([&](const auto& orders) {
    constexpr std::size_t ahead = 6;
    const auto& handles = *state.config.handles;
    for (std::size_t i = 0; i < orders.size(); ++i) {
      if (i + ahead < orders.size())
        prefetch_mailbox(
          caf::actor_cast<caf::actor_control_block*>(handles[orders[i + ahead].first]));
      lend_thread(self, handles[orders[i].first], orders[i].second);
    }
  });
  state.out.clear();
}

// -- where nothing fails ------------------------------------------------------------------------

/// Answers requests one by one: each may have others sent.
void answer(sparrow_scheduler_pointer self, const task_requests& requests) {
  auto& state = self->state;
  const auto* handles = state.config.handles.get();
  constexpr std::size_t ahead = 4;
  for (std::size_t i = 0; i < requests.all.size(); ++i) {
    if (handles != nullptr && i + ahead < requests.all.size())
      prefetch_mailbox(
        caf::actor_cast<caf::actor_control_block*>((*handles)[requests.all[i + ahead].machine]));
    state.core->asked(requests.all[i], state.out);
    send(self);
  }
}

void watch_machines(sparrow_scheduler_pointer self) {
  auto& state = self->state;
  state.machine_of.reserve(state.config.handles->size());
  for (machine_id m = 0; m < state.config.handles->size(); ++m) {
    const auto& handle = (*state.config.handles)[m];
    state.machine_of.add(handle.id(), m);
    self->monitor(handle);
  }
  self->set_down_handler([self](caf::down_msg& down) {
    auto& st = self->state;
    const auto machine = st.machine_of.find(down.source.id());
    if (!machine)
      return;
    log::info("scheduler {}: machine {} is gone", st.config.id, *machine);
    st.core->remove(*machine, now(self), st.out);
    send(self);
  });
}

// -- where failures are watched -----------------------------------------------------------------

/// Sends the messages that are due, and continues to decide.
void go_on(sparrow_scheduler_pointer self) {
  self->state.tie->send_due(now(self));
  decide(self, now(self));
}

void send_heartbeat(sparrow_scheduler_pointer self) {
  auto& tie = *self->state.tie;
  tie.send_heartbeat(self, now(self));
  wait_for_opening(self);
  go_on(self);
  self->delayed_send<caf::message_priority::high>(self, tie.failover.heartbeat, heartbeat_atom_v);
}

/// Ends, as another one has taken over.
void retire(sparrow_scheduler_pointer self) {
  self->state.tie->retire();
  self->quit();
}

void hear(sparrow_scheduler_pointer self, const queue_report& report) {
  if (self->state.tie->session.hear(report, now(self)))
    go_on(self);
  else
    retire(self);
}

void begin_session(sparrow_scheduler_pointer self) {
  auto& state = self->state;
  const auto& with = *state.config.session;
  state.tie.reset(
    new sparrow_tie{with.failover,
                    sparrow_session{with.rules, state.config.id, state.config.machines->machines(),
                                    *state.core, now(self)},
                    member_session{with.failover}});
  if (const auto& growth = state.config.machines->growth())
    for (machine_id m = 0; m < growth->places(); ++m)
      if (growth->vacant(m))
        state.tie->session.expect_nothing_of(m);
  self->send(self, heartbeat_atom_v);
}

scheduler_status sample_of(sparrow_scheduler_pointer self) {
  auto& st = self->state;
  if (st.tie)
    return {st.config.id, st.tie->session.idle(), st.tie->session.take_samples(now(self)),
            st.tie->session.places()};
  return {st.config.id, st.core->idle(), st.core->take_samples(now(self)), st.core->places()};
}

/// The same, and the records that are finished: all of them if nothing can get lost.
scheduler_status sample_with_records(sparrow_scheduler_pointer self, const sample_request& asked) {
  auto& st = self->state;
  auto* tie = st.tie.get();
  auto status =
    tie == nullptr
      ? sample_of(self)
      : tie->unheard_samples.tell(asked.heard, tie->member.as().incarnation, sample_of(self));
  const auto why = [&](const task_id& task) { return st.core->why_waits(task); };
  if (auto* records = st.core->recording())
    status.records = tie == nullptr ? records->take(asked.last, why)
                                    : records->answer(asked.heard, status.mark, asked.last, why);
  return status;
}

} // namespace

sparrow_scheduler_actor::behavior_type
sparrow_scheduler(sparrow_scheduler_actor::stateful_pointer<sparrow_scheduler_state> self,
                  sparrow_scheduler_config config) {
  install_handlers(self);
  auto& state = self->state;
  state.config = std::move(config);
  if (state.config.machines->windows() != nullptr)
    state.config.limits.time = [self] { return now(self); };
  state.core.emplace(state.config.id, *state.config.machines, state.config.limits,
                     state.config.random, state.config.group);
  if (state.config.session)
    begin_session(self);
  else if (state.config.watch_machines)
    watch_machines(self);
  return {
    [self](const get_task_request& request) {
      auto& st = self->state;
      st.core->asked(request, st.out);
      send(self);
    },
    [self](const task_requests& requests) { answer(self, requests); },
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
    [self](const capacity_notice& what) {
      auto& st = self->state;
      st.core->set_capacity(what, st.out);
      send(self);
    },
    [self](decided_atom) {
      auto& st = self->state;
      st.deciding = false;
      st.core->place(st.out);
      send(self);
      // From when this decision was due: a late timer must not cost capacity.
      decide(self, st.decision_due);
      if (st.tie)
        go_on(self);
    },
    [self](wake_atom) {
      auto& st = self->state;
      st.opens = instant::max();
      st.core->reopen(st.out);
      send(self);
      wait_for_opening(self);
      if (st.tie)
        go_on(self);
    },
    [self](const queue_report& report) {
      if (self->state.tie)
        hear(self, report);
    },
    [self](const process_heartbeat& heard) {
      if (self->state.tie)
        self->state.tie->hear(heard, now(self));
    },
    [self](heartbeat_atom) {
      if (self->state.tie)
        send_heartbeat(self);
    },
    [self](const heartbeat_reply& answer) {
      if (auto* tie = self->state.tie.get()) {
        tie->hear(answer, now(self));
        go_on(self);
      }
    },
    [self](const membership& news) {
      auto* tie = self->state.tie.get();
      if (tie != nullptr && tie->member.hear(news) && tie->member.deposed())
        retire(self);
    },
    [self](const job_delivery& what) {
      if (auto* tie = self->state.tie.get()) {
        tie->session.deliver(what, now(self));
        go_on(self);
      }
    },
    [self](const store_seen& seen) {
      if (auto* tie = self->state.tie.get())
        tie->session.confirm(seen, now(self));
    },
    [self](submission& incoming) {
      if (self->state.tie) {
        log::error("scheduler {}: a job came from an unknown job store", self->state.config.id);
        return;
      }
      self->state.core->submit(std::move(incoming.jobs));
      decide(self, now(self));
    },
    [self](const peers&) {
      self->state.ready = true;
      if (self->state.tie)
        go_on(self);
      else
        decide(self, now(self));
    },
    [self](sample_atom) { return sample_of(self); },
    [self](const sample_request& asked) { return sample_with_records(self, asked); },
  };
}

} // namespace troupe
