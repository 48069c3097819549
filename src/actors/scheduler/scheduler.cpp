#include "actors/scheduler/scheduler.hpp"

#include "actors/common/handlers.hpp"
#include "actors/scheduler/failover_messages.hpp"
#include "model/base/log.hpp"
#include "policies/policy_text.hpp"

#include <caf/send.hpp>

#include <algorithm>

namespace troupe {

namespace {

using scheduler_pointer = placing_scheduler_actor::stateful_pointer<scheduler_state>;

instant now(scheduler_pointer self) {
  return self->state.config.clock.now(self);
}

/// Sees to it that the scheduler decides again when the next retry is due.
void wake_for_retry(scheduler_pointer self) {
  auto& state = self->state;
  const auto due = state.core->next_retry();
  if (!due || (state.wakes && *state.wakes <= *due))
    return;
  state.wakes = due;
  self->scheduled_send(self, state.config.clock.at(*due), wake_atom_v);
}

void answer(scheduler_pointer self, const std::optional<offer_answer>& offers) {
  if (offers && self->state.allocator)
    self->send(self->state.allocator, *offers);
}

/// Starts deciding, at `from`, unless a decision is under way or nothing can be placed.
void decide(scheduler_pointer self, instant from) {
  auto& state = self->state;
  if (state.deciding || state.owners.empty())
    return;
  const auto cost = state.core->decide(now(self), from);
  if (!cost) {
    wake_for_retry(self);
    answer(self, state.core->answer_offers());
    return;
  }
  state.deciding = true;
  state.decision_due = from + *cost;
  self->scheduled_send(self, state.config.clock.at(state.decision_due), decided_atom_v);
}

void decide(scheduler_pointer self) {
  decide(self, now(self));
}

/// Says for each refused placement why, and who was faster. The core knows the placements.
void log_rejections(scheduler_pointer self, const commit_reply& reply) {
  if (reply.rejections.empty() || !log::enabled(log::level::debug))
    return;
  const auto* sent = self->state.core->find(reply.owner, reply.id);
  for (const auto& r : reply.rejections)
    if (sent && r.index < sent->size()) {
      const auto& d = (*sent)[r.index];
      log::debug("{} s: scheduler {}: task {} is refused machine {}: {}, winner {}, free {}",
                 to_seconds(now(self)), self->state.config.id, to_string(d.task.task), d.machine,
                 to_string(r.cause), r.winner == no_scheduler ? "none" : std::to_string(r.winner),
                 to_string(r.free));
    }
}

void change_policy(scheduler_pointer self, const policy_choice& to) {
  auto& state = self->state;
  auto policy = state.config.make_policy ? state.config.make_policy(to) : nullptr;
  if (policy == nullptr) {
    log::warn("scheduler {}: keeps its policy, as it knows none named '{}'", state.config.id,
              to.policy);
    return;
  }
  log::info("{} s: scheduler {}: policy {} from now on", to_seconds(now(self)), state.config.id,
            policy_text(to));
  state.core->change_policy(std::move(policy));
  state.config.policy_name = to.policy;
}

/// Makes the changes of its policy that were due before it was there, and sees to the others.
void plan_changes(scheduler_pointer self) {
  const auto& config = self->state.config;
  for (const auto& [at, choice] : config.changes)
    if (at < now(self))
      change_policy(self, choice);
    else
      self->scheduled_send(self, config.clock.at(at), choice);
}

void send(scheduler_pointer self, std::vector<scheduler_core::outgoing> commits) {
  for (auto& [to, request] : commits)
    if (self->state.owners[to])
      self->send(self->state.owners[to], std::move(request));
}

/// Withdraws a decision on offers of an earlier incarnation of the allocator, and reaches the later
/// one.
void heed_new_allocator(scheduler_pointer self, offer_id id) {
  auto& state = self->state;
  if (!state.config.failover || !state.core->replaces_offers(id))
    return;
  if (std::exchange(state.deciding, false))
    state.core->withdraw(now(self));
  state.allocator =
    caf::actor_cast<allocator_actor>(state.config.failover->reach(role::allocator, 0, 0));
}

// -- if failures are watched --------------------------------------------------------------------

void tell_stores(scheduler_pointer self) {
  if (auto* books = self->state.core->failover())
    tell_stores(*books, *self->state.config.failover, now(self));
}

void tell_safe(scheduler_pointer self, owner_id owner) {
  tell_safe(*self->state.core->failover(), owner, self->state.owners[owner]);
}

void hear(scheduler_pointer self, const owner_statement& statement) {
  auto& state = self->state;
  const auto incarnation = owner_incarnation(statement.session);
  if (scheduler_incarnation(statement.session) != state.member->as().incarnation)
    return;
  auto& latest = state.owner_incarnations[statement.owner];
  if (incarnation < latest)
    return; // this incarnation of the owner has been replaced
  latest = incarnation;
  state.owners[statement.owner] = caf::actor_cast<owner_actor>(
    state.config.failover->reach(role::owner, statement.owner, incarnation));
  send(self, state.core->reconcile(statement, now(self)));
  tell_safe(self, statement.owner);
  tell_stores(self);
  decide(self);
}

/// Since when it has had a view. At the start of the run everything is idle, and all know it.
instant born(scheduler_pointer self) {
  const auto& failover = self->state.config.failover;
  return failover && failover->as.incarnation > 1 ? now(self) : instant{0};
}

void send_heartbeat(scheduler_pointer self) {
  auto& state = self->state;
  const auto& with = *state.config.failover;
  if (const auto master = with.reach(role::master, 0, 0))
    self->send<caf::message_priority::high>(caf::actor_cast<master_actor>(master),
                                            state.member->heartbeat(now(self)));
  tell_stores(self);
  if (state.core->catch_up())
    decide(self);
  self->delayed_send(self, with.heartbeat, heartbeat_atom_v);
}

void watch_failures(scheduler_pointer self) {
  auto& state = self->state;
  const auto& with = *state.config.failover;
  state.member.emplace(with);
  state.core->watch_failures(with.as.incarnation, state.config.stores, state.config.retries);
  state.owners.resize(
    1 + *std::max_element(state.config.owner_of.begin(), state.config.owner_of.end()));
  state.owner_incarnations.resize(state.owners.size());
  self->delayed_send(self, state.config.limits.commit_timeout, resend_atom_v);
  self->send(self, heartbeat_atom_v);
}

scheduler_status sample(scheduler_pointer self, bool details = false) {
  auto& core = *self->state.core;
  scheduler_status status{self->state.config.id, core.idle(), core.take_samples(now(self)),
                          core.places()};
  status.details.policy = self->state.config.policy_name;
  if (details)
    status.details.ages_ms = core.view_ages(now(self));
  return status;
}

/// The same, and the records that are finished: all of them if nothing can get lost.
scheduler_status sample_with_records(scheduler_pointer self, const sample_request& asked) {
  auto& st = self->state;
  auto now = sample(self, asked.details);
  auto status =
    st.member ? st.unheard_samples.tell(asked.heard, st.member->as().incarnation, std::move(now))
              : std::move(now);
  if (auto* records = st.core->recording(asked.last)) {
    const auto why = asked.last ? st.core->reasons() : record_book::reason_lookup{};
    status.records = st.member ? records->answer(asked.heard, status.mark, asked.last, why)
                               : records->take(asked.last, why);
  }
  return status;
}

} // namespace

placing_scheduler_actor::behavior_type
scheduler(placing_scheduler_actor::stateful_pointer<scheduler_state> self,
          scheduler_config config) {
  install_handlers(self);
  auto& state = self->state;
  state.config = std::move(config);
  state.core.emplace(state.config.id, *state.config.machines, state.config.owner_of,
                     state.config.policy(), state.config.limits, state.config.random, born(self),
                     state.config.group, state.config.tenants);
  plan_changes(self);
  if (state.config.failover)
    watch_failures(self);
  return {
    [self](const peers& all) {
      auto& st = self->state;
      st.owners = to_handles<owner_actor>(all.owners);
      if (!all.allocators.empty())
        st.allocator = caf::actor_cast<allocator_actor>(all.allocators.front());
      self->delayed_send(self, st.config.limits.commit_timeout, resend_atom_v);
      decide(self);
    },
    [self](submission& incoming) {
      self->state.core->submit(std::move(incoming.jobs));
      decide(self);
    },
    [self](const commit_reply& reply) {
      log_rejections(self, reply);
      send(self, self->state.core->answer(reply, now(self)));
      decide(self);
    },
    [self](sync_update& update) {
      self->state.core->refresh(std::move(update), now(self));
      decide(self);
    },
    [self](const task_report& report) {
      auto& st = self->state;
      const auto before = st.core->reports_seen(report.owner);
      const auto seen = st.core->report(report);
      tell_stores(self);
      if (st.core->failover())
        tell_safe(self, report.owner);
      else if (seen == before) // it came again: the owner does not know that it has been seen
        self->send(st.owners[report.owner], report_seen{st.config.id, seen});
      decide(self);
    },
    [self](const resource_offer& what) {
      heed_new_allocator(self, what.id);
      self->state.core->offer(what);
      decide(self);
    },
    [self](const offer_recall& what) {
      auto& st = self->state;
      heed_new_allocator(self, what.id);
      if (st.deciding && st.core->takes_back(what)) {
        st.core->withdraw(now(self));
        st.deciding = false;
      }
      answer(self, st.core->recall(what));
      decide(self);
    },
    [self](const policy_choice& to) {
      change_policy(self, to);
      decide(self);
    },
    [self](decided_atom) {
      auto& st = self->state;
      if (!st.deciding || now(self) < st.decision_due)
        return; // of a decision that was withdrawn
      st.deciding = false;
      send(self, st.core->commit(now(self)));
      if (st.core->failover() && st.core->failover()->has_untold_width())
        tell_stores(self);
      // From when this decision was due: a late timer must not cost capacity.
      decide(self, st.decision_due);
    },
    [self](wake_atom) {
      self->state.wakes.reset();
      decide(self);
    },
    [self](resend_atom) {
      auto& st = self->state;
      send(self, st.core->overdue(now(self)));
      st.core->repeat_revival();
      if (!st.deciding)
        answer(self, st.core->answer_offers());
      self->delayed_send(self, st.config.limits.commit_timeout, resend_atom_v);
    },
    [self](sample_atom) { return sample(self); },
    [self](heartbeat_atom) { send_heartbeat(self); },
    [self](const heartbeat_reply& answer) { self->state.member->hear(answer); },
    [self](const membership& news) {
      auto& st = self->state;
      if (!st.member->hear(news) || !st.member->deposed())
        return;
      retire_scheduler(st.member->as(), *st.config.failover);
      self->quit();
    },
    [self](const owner_statement& statement) { hear(self, statement); },
    [self](const job_delivery& what) {
      self->state.core->deliver(what, now(self));
      tell_stores(self);
      decide(self);
    },
    [self](const store_seen& seen) {
      for (auto owner : self->state.core->failover()->confirm(seen, now(self)))
        tell_safe(self, owner);
      send(self, self->state.core->launch_told(now(self)));
    },
    [self](const sample_request& asked) { return sample_with_records(self, asked); },
  };
}

} // namespace troupe
