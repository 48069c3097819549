#include "actors/plugin/plugin_member.hpp"

#include "actors/common/handlers.hpp"
#include "actors/scheduler/failover_messages.hpp"
#include "model/base/log.hpp"

#include <caf/event_based_actor.hpp>
#include <caf/response_promise.hpp>
#include <caf/send.hpp>
#include <caf/typed_response_promise.hpp>

#include <algorithm>
#include <utility>
#include <variant>

namespace troupe {

namespace {

using member_pointer = plugin_member_actor::stateful_pointer<plugin_member_state>;

instant now(member_pointer self) {
  return self->state.config.clock.now(self);
}

/// Stands for an owner towards the plugin, and hands its commits to the member with the owner's
/// number.
caf::behavior owner_front(caf::event_based_actor* self, owner_id number,
                          const plugin_member_actor& member) {
  install_handlers(self);
  return {
    [number, member](commit_request& wanted) { caf::anon_send(member, number, std::move(wanted)); },
    [](const report_seen&) {}, // reports to the plugin are not lost
  };
}

// -- what goes out ------------------------------------------------------------------------------

void tell_plugin(member_pointer self, plugin_member_core::plugin_message what) {
  auto& state = self->state;
  auto& check = *state.config.check;
  std::visit(
    [&](auto& message) {
      using type = std::decay_t<decltype(message)>;
      if constexpr (std::is_same_v<type, submission>)
        check.submitted(message);
      else if constexpr (std::is_same_v<type, commit_reply>)
        check.answered(message);
      else if constexpr (std::is_same_v<type, task_report>)
        check.reported(message);
      self->send(state.config.plugin, std::move(message));
    },
    what);
}

void tell_stores(member_pointer self) {
  tell_stores(*self->state.core->failover(), self->state.config.failover, now(self));
}

void tell_safe(member_pointer self, owner_id owner) {
  tell_safe(*self->state.core->failover(), owner, self->state.owners[owner]);
}

/// Sends all that the core wants sent.
void flush(member_pointer self) {
  auto& state = self->state;
  for (auto& what : state.core->take_told())
    tell_plugin(self, std::move(what));
  for (auto& [to, request] : state.core->take_commits())
    if (state.owners[to])
      self->send(state.owners[to], std::move(request));
  tell_stores(self);
}

// -- members ------------------------------------------------------------------------------------

void hear(member_pointer self, const owner_statement& statement) {
  auto& state = self->state;
  const auto incarnation = owner_incarnation(statement.session);
  if (scheduler_incarnation(statement.session) != state.member->as().incarnation)
    return;
  auto& latest = state.owner_incarnations[statement.owner];
  if (incarnation < latest)
    return; // it has been replaced
  latest = incarnation;
  state.owners[statement.owner] = caf::actor_cast<owner_actor>(
    state.config.failover.reach(role::owner, statement.owner, incarnation));
  state.core->reconcile(statement, now(self));
  flush(self);
  tell_safe(self, statement.owner);
}

void hear(member_pointer self, const membership& news) {
  auto& state = self->state;
  if (!state.member->hear(news) || !state.member->deposed())
    return;
  retire_scheduler(state.member->as(), state.config.failover);
  self->quit();
}

// -- what the plugin counts ---------------------------------------------------------------------

/// Books what the plugin has counted. Whether it has given tasks up shows if that is `current`.
void note_counts(member_pointer self, scheduler_status status, bool current) {
  auto& state = self->state;
  state.counts.add(status);
  for (const auto& g : status.samples) {
    auto& given_up = state.counts.given_up(g.group);
    if (current && given_up > 0 && g.sample.tasks.queued + g.sample.tasks.in_commit == 0)
      given_up -= state.core->abandon_queued(g.group, given_up, now(self));
  }
  flush(self);
}

scheduler_status take_sample(member_pointer self) {
  auto& state = self->state;
  return {state.config.rules.id, state.core->idle(),
          state.core->take_samples(state.counts.take(), now(self)), state.core->places()};
}

/// Tasks that the plugin gives up are noticed by its counts alone: they are asked for while tasks
/// are queued with it and it commits nothing.
void look_for_abandoned(member_pointer self) {
  auto& state = self->state;
  if (state.counts.is_still(state.core->commits()) &&
      state.core->jobs().count(plugin_jobs::place::queued) > 0)
    ask_for_counts(
      self, note_counts, [] {}, [](caf::error&) {});
}

void send_heartbeat(member_pointer self) {
  auto& state = self->state;
  const auto& with = state.config.failover;
  if (const auto master = with.reach(role::master, 0, 0))
    self->send<caf::message_priority::high>(caf::actor_cast<master_actor>(master),
                                            state.member->heartbeat(now(self)));
  state.core->catch_up();
  flush(self);
  look_for_abandoned(self);
  self->delayed_send(self, with.heartbeat, heartbeat_atom_v);
}

// -- the plugin's actor -------------------------------------------------------------------------

void begin(member_pointer self) {
  auto& state = self->state;
  const auto& config = state.config;
  state.member.emplace(config.failover);
  const bool later = config.failover.as.incarnation > 1;
  state.core.emplace(config.rules, *config.machines, config.owner_of,
                     later ? now(self) : instant{0},
                     plugin_records::make(config.records, config.rules.id, *config.machines,
                                          config.owner_of, config.watch));
  state.owners.resize(1 + *std::ranges::max_element(config.owner_of));
  state.owner_incarnations.resize(state.owners.size());
  peers others;
  for (owner_id o = 0; o < state.owners.size(); ++o) {
    state.fronts.push_back(self->spawn(owner_front, o, plugin_member_actor{self}));
    others.owners.push_back(caf::actor_cast<caf::strong_actor_ptr>(state.fronts.back()));
  }
  std::vector<caf::strong_actor_ptr> fronts;
  for (const auto& front : state.fronts)
    fronts.push_back(caf::actor_cast<caf::strong_actor_ptr>(front));
  end_together(self, std::move(fronts));
  self->send(state.config.plugin, std::move(others));
  self->delayed_send(self, config.rules.commit_timeout, resend_atom_v);
  self->send(self, heartbeat_atom_v);
}

} // namespace

plugin_member_actor::behavior_type
plugin_member(plugin_member_actor::stateful_pointer<plugin_member_state> self,
              plugin_member_config config) {
  install_handlers(self);
  self->state.config = std::move(config);
  begin(self);
  return {
    [](const peers&) {},
    [self](const submission&) {
      log::error("scheduler {}: a job came from an unknown job store", self->state.config.rules.id);
    },
    [self](sample_atom) {
      return answer_with_counts(self, note_counts, [self] { return take_sample(self); });
    },
    [self](const commit_reply& reply) {
      self->state.core->answer(reply, now(self));
      flush(self);
    },
    [self](sync_update& update) {
      self->state.core->refresh(std::move(update));
      flush(self);
    },
    [self](const task_report& report) {
      self->state.core->report(report);
      flush(self);
      tell_safe(self, report.owner);
    },
    // Plugins are offered nothing and keep their policies.
    [](const resource_offer&) {},
    [](const offer_recall&) {},
    [](const policy_choice&) {},
    [](decided_atom) {},
    [](wake_atom) {},
    [self](resend_atom) {
      self->state.core->repeat(now(self));
      flush(self);
      self->delayed_send(self, self->state.config.rules.commit_timeout, resend_atom_v);
    },
    [self](heartbeat_atom) { send_heartbeat(self); },
    [self](const heartbeat_reply& answer) { self->state.member->hear(answer); },
    [self](const membership& news) { hear(self, news); },
    [self](const owner_statement& statement) { hear(self, statement); },
    [self](const job_delivery& what) {
      self->state.core->deliver(what);
      flush(self);
    },
    [self](const store_seen& seen) {
      for (auto owner : self->state.core->failover()->confirm(seen, now(self)))
        tell_safe(self, owner);
    },
    [self](const sample_request& asked) {
      return answer_with_counts(self, note_counts, [self, asked] {
        auto& st = self->state;
        auto status =
          st.unheard_samples.tell(asked.heard, st.member->as().incarnation, take_sample(self));
        if (auto* records = st.core->records())
          status.records = records->answer(asked, status.mark);
        return status;
      });
    },
    [self](owner_id owner, commit_request& wanted) {
      if (!self->state.config.check->admits(owner, wanted))
        return;
      self->state.core->commit(owner, std::move(wanted), now(self));
      flush(self);
    },
  };
}

} // namespace troupe
