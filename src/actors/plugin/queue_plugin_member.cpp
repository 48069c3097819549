#include "actors/plugin/queue_plugin_member.hpp"

#include "actors/common/handlers.hpp"
#include "model/base/log.hpp"

#include <caf/send.hpp>

#include <utility>
#include <variant>

namespace troupe {

namespace {

using queue_member_pointer = queue_plugin_actor::stateful_pointer<queue_plugin_state>;

instant now(queue_member_pointer self) {
  return self->state.config.clock.now(self);
}

// -- what goes out ------------------------------------------------------------------------------

void tell_plugin(queue_member_pointer self, queue_plugin_core::plugin_message what) {
  auto& state = self->state;
  std::visit(
    [&](auto& message) {
      using type = std::decay_t<decltype(message)>;
      if constexpr (std::is_same_v<type, submission>)
        state.config.check->submitted(message);
      else if constexpr (std::is_same_v<type, task_news>)
        state.config.check->heard(message);
      self->send(state.config.plugin, std::move(message));
    },
    what);
}

/// Sends all that is due to machines, to job stores and to the plugin.
void go_on(queue_member_pointer self) {
  auto& state = self->state;
  if (state.tie->session.knows_machines(now(self)))
    state.core->begin();
  state.tie->session.send(state.out, now(self));
  state.tie->send_due(now(self));
  for (auto& what : state.core->take_told())
    tell_plugin(self, std::move(what));
}

/// Ends, as another one has taken over.
void retire(queue_member_pointer self) {
  self->state.tie->retire();
  self->quit();
}

// -- what the plugin sends and counts -----------------------------------------------------------

template <class Message>
void obey(queue_member_pointer self, machine_id machine, const Message& what) {
  auto& state = self->state;
  constexpr bool is_answer = std::is_same_v<Message, capacity_heard>;
  if (!state.config.check->passes() || (!is_answer && state.core->is_void(machine)))
    return;
  if (const auto fault = state.core->fault_of(machine, what); !fault.empty()) {
    state.config.check->refuse(fault);
    return;
  }
  state.core->order(machine, what, now(self), state.out);
  go_on(self);
}

/// Books what the plugin has counted. Whether it has given tasks up shows if that is `current`.
void note_sent_counts(queue_member_pointer self, scheduler_status status, bool current) {
  auto& state = self->state;
  state.counts.add(status);
  for (const auto& g : status.samples) {
    auto& given_up = state.counts.given_up(g.group);
    if (current && given_up > 0 && g.sample.tasks.queued == 0)
      given_up -= state.core->abandon_queued(g.group, given_up, now(self), state.out);
  }
  go_on(self);
}

scheduler_status take_sample(queue_member_pointer self) {
  auto& state = self->state;
  state.core->note_counted(state.counts.take());
  auto& session = state.tie->session;
  return {state.config.rules.id, session.idle(), session.take_samples(now(self)), session.places()};
}

/// Tasks that the plugin gives up are noticed by its counts alone: they are asked for while tasks
/// are queued with it and it sends nothing.
void look_for_abandoned(queue_member_pointer self) {
  auto& state = self->state;
  if (state.counts.is_still(state.core->orders()) &&
      state.core->jobs().count(plugin_jobs::place::queued) > 0)
    ask_for_counts(
      self, note_sent_counts, [] {}, [](caf::error&) {});
}

// -- members and machines -----------------------------------------------------------------------

void send_heartbeat(queue_member_pointer self) {
  auto& tie = *self->state.tie;
  tie.send_heartbeat(self, now(self));
  self->state.core->catch_up();
  go_on(self);
  look_for_abandoned(self);
  self->delayed_send<caf::message_priority::high>(self, tie.failover.heartbeat, heartbeat_atom_v);
}

void hear(queue_member_pointer self, const queue_report& report) {
  if (self->state.tie->session.hear(report, now(self)))
    go_on(self);
  else
    retire(self);
}

void hear(queue_member_pointer self, const membership& news) {
  auto& tie = *self->state.tie;
  if (tie.member.hear(news) && tie.member.deposed())
    retire(self);
}

void begin(queue_member_pointer self) {
  auto& state = self->state;
  const auto& config = state.config;
  state.core.emplace(
    config.rules, *config.machines,
    plugin_records::make(config.records, config.rules.id, *config.machines, {}, config.watch));
  state.tie.reset(
    new sparrow_tie{config.session.failover,
                    sparrow_session{config.session.rules, config.rules.id,
                                    config.machines->machines(), *state.core, now(self)},
                    member_session{config.session.failover}});
  if (const auto& growth = config.machines->growth())
    for (machine_id m = 0; m < growth->places(); ++m)
      if (growth->vacant(m))
        state.tie->session.expect_nothing_of(m);
  config.fronts.lead_to(caf::actor_cast<caf::strong_actor_ptr>(self));
  self->attach_functor([fronts = config.fronts](const caf::error&) { fronts.close(); });
  end_together(self, {});
  self->send(config.plugin, peers{});
  self->send(self, heartbeat_atom_v);
}

} // namespace

queue_plugin_actor::behavior_type
queue_plugin_member(queue_plugin_actor::stateful_pointer<queue_plugin_state> self,
                    queue_plugin_config config) {
  install_handlers(self);
  self->state.config = std::move(config);
  begin(self);
  return {
    // The events of machines come in queue_reports.
    [](const get_task_request&) {},
    [](const task_requests&) {},
    [](const probe_answer&) {},
    [](const task_news&) {},
    [](const capacity_notice&) {},
    [](decided_atom) {},
    [](wake_atom) {},
    [self](const queue_report& report) { hear(self, report); },
    [self](const process_heartbeat& heard) { self->state.tie->hear(heard, now(self)); },
    [self](heartbeat_atom) { send_heartbeat(self); },
    [self](const heartbeat_reply& answer) {
      self->state.tie->hear(answer, now(self));
      go_on(self);
    },
    [self](const membership& news) { hear(self, news); },
    [self](const job_delivery& what) {
      self->state.tie->session.deliver(what, now(self));
      go_on(self);
    },
    [self](const store_seen& seen) { self->state.tie->session.confirm(seen, now(self)); },
    [self](const submission&) {
      log::error("scheduler {}: a job came from an unknown job store", self->state.config.rules.id);
    },
    [](const peers&) {},
    [self](sample_atom) {
      return answer_with_counts(self, note_sent_counts, [self] { return take_sample(self); });
    },
    [self](const sample_request& asked) {
      return answer_with_counts(self, note_sent_counts, [self, asked] {
        auto& tie = *self->state.tie;
        auto status =
          tie.unheard_samples.tell(asked.heard, tie.member.as().incarnation, take_sample(self));
        if (auto* records = self->state.core->records())
          status.records = records->answer(asked, status.mark);
        return status;
      });
    },
    [self](machine_id machine, const queue_entry& what) { obey(self, machine, what); },
    [self](machine_id machine, const task_assignment& what) { obey(self, machine, what); },
    [self](machine_id machine, const cancellation& what) { obey(self, machine, what); },
    [self](machine_id machine, const queue_probe& what) { obey(self, machine, what); },
    [self](machine_id machine, const capacity_heard& what) { obey(self, machine, what); },
  };
}

} // namespace troupe
