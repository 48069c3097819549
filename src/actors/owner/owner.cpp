#include "actors/owner/owner.hpp"

#include "actors/common/handlers.hpp"
#include "actors/common/prefetch.hpp"
#include "actors/machine/machine.hpp"
#include "actors/owner/owner_failover.hpp"
#include "model/base/log.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <span>

namespace troupe {

instant now(owner_pointer self) {
  return self->state.config.clock.now(self);
}

void announce(owner_pointer self) {
  auto& state = self->state;
  if (state.report_pending || !state.core->has_news())
    return;
  state.report_pending = true;
  self->delayed_send(self, state.config.report_interval, report_atom_v);
}

void arm_resend(owner_pointer self) {
  auto& state = self->state;
  if (state.resend_pending)
    return;
  state.resend_pending = true;
  self->delayed_send(self, state.config.resend_after, resend_atom_v);
}

machine_order kill_order(const task_id& task) {
  machine_order order;
  order.what.task = task;
  order.kill = true;
  return order;
}

void order(owner_pointer self, machine_id machine, machine_order what) {
  auto& state = self->state;
  if (!state.leases)
    caf::anon_send((*state.config.handles)[machine], std::move(what));
  else if (const auto& to = state.hosts[machine])
    caf::anon_send(to, state.leases->order(machine, std::move(what), now(self)));
}

void tell_allocator(owner_pointer self) {
  auto& state = self->state;
  auto* outbox = state.core->outbox();
  if (outbox == nullptr || !state.allocator)
    return;
  if (auto report = outbox->report(now(self))) {
    self->send(state.allocator, std::move(*report));
    arm_resend(self);
  }
}

namespace {

void watch_machines(owner_pointer self) {
  auto& state = self->state;
  std::size_t machines = 0;
  for (auto p : state.config.partitions)
    machines += state.config.machines->members(p).size();
  state.machine_of.reserve(machines);
  for (auto p : state.config.partitions)
    for (auto m : state.config.machines->members(p)) {
      const auto& handle = (*state.config.handles)[m];
      state.machine_of.add(handle.id(), m);
      self->monitor(handle);
    }
  self->set_down_handler([self](caf::down_msg& down) {
    const auto machine = self->state.machine_of.find(down.source.id());
    if (!machine)
      return;
    log::info("owner {}: machine {} is gone", self->state.config.id, *machine);
    self->state.core->remove(*machine, now(self));
    announce(self);
    tell_allocator(self);
  });
}

void send_reports(owner_pointer self, std::vector<std::pair<scheduler_id, task_report>> reports) {
  auto& state = self->state;
  for (auto& [to, report] : reports)
    if (state.schedulers[to])
      self->send(state.schedulers[to], std::move(report));
  arm_resend(self);
}

/// Sends reports again whose acknowledgement is overdue.
void send_again(owner_pointer self) {
  auto& state = self->state;
  const auto patience = state.config.resend_after;
  if (state.core->has_unseen())
    send_reports(self, state.core->overdue(now(self), patience));
  auto* outbox = state.core->outbox();
  if (outbox == nullptr)
    return;
  for (auto& report : outbox->overdue(now(self), patience))
    self->send(state.allocator, std::move(report));
  if (outbox->has_unseen())
    arm_resend(self);
}

/// Has machines launch what was granted, and kill what had to leave for it.
void order_granted(owner_pointer self, scheduler_id scheduler) {
  auto& state = self->state;
  auto leaves = state.core->evicted().begin();
  for (const auto& p : state.granted) {
    for (auto n = p.evicted; n > 0; --n, ++leaves)
      order(self, p.machine, kill_order(leaves->task));
    order(self, p.machine,
          {{p.task, state.config.id, p.demand, p.runtime, p.grant, false, p.estimate},
           scheduler,
           p.priority,
           p.tenant});
  }
}

/// Returns whether to answer a commit, by what is known of the scheduler's incarnation and its own.
bool heeds(owner_pointer self, const commit_request& wanted) {
  auto& state = self->state;
  if (!state.leases)
    return true;
  state.leases->seen(wanted.scheduler, wanted.reports_seen, now(self));
  return state.leases->admits(wanted) && state.leases->may_act(now(self));
}

/// Fetches the machines of a commit, which are likely to get an order each, together. Inlined, as
/// g++ takes a function that only prefetches for one without effect.
[[gnu::always_inline]] inline void prefetch_machines(std::span<const launching_actor> handles,
                                                     const commit_request& wanted) {
  for (const auto& p : wanted.placements)
    if (p.machine < handles.size())
      __builtin_prefetch(&handles[p.machine]);
  for (const auto& p : wanted.placements)
    if (p.machine < handles.size())
      prefetch_light<machine_state>(caf::actor_cast<caf::actor_control_block*>(handles[p.machine]));
}

void commit(owner_pointer self, const commit_request& wanted) {
  auto& state = self->state;
  if (!heeds(self, wanted))
    return;
  if (!state.leases)
    prefetch_machines(*state.config.handles, wanted);
  state.granted.clear();
  const bool offered = !state.leases || state.leases->offered(wanted);
  auto reply = offered ? state.core->commit(wanted, state.granted, now(self))
                       : state.core->refuse(wanted, conflict_cause::moved);
  order_granted(self, wanted.scheduler);
  if (const auto& to = state.schedulers[wanted.scheduler])
    self->send(to, std::move(reply));
  announce(self);
  tell_allocator(self);
}

/// Looks after the holds as long as there are any.
void watch_holds(owner_pointer self) {
  auto& state = self->state;
  if (state.release_pending || !state.core->has_holds())
    return;
  state.release_pending = true;
  self->delayed_send(self, state.config.hold_timeout, wake_atom_v);
}

#ifdef TROUPE_CHECKS
constexpr bool checks_always = true;
#else
constexpr bool checks_always = false;
#endif

owner_status sample(owner_pointer self, bool check, bool details = false) {
  auto& state = self->state;
  owner_status status{state.config.id, state.core->take_sample(now(self)), {}, {}};
  status.partitions = state.core->take_details(details);
  if (check)
    status.sample.over_capacity += state.core->inconsistent();
  return status;
}

} // namespace

owner_actor::behavior_type owner(owner_actor::stateful_pointer<owner_state> self,
                                 owner_config config) {
  install_handlers(self);
  auto& state = self->state;
  state.core.emplace(config.id, *config.machines, config.partitions, config.schedulers,
                     config.detection, config.duties,
                     config.failover ? std::max(config.clock.now(self), instant{0}) : instant{0});
  state.core->watch(config.watch);
  state.config = std::move(config);
  if (state.config.failover)
    watch_failures(self);
  else if (state.config.watch_machines)
    watch_machines(self);
  return {
    [self](const peers& all) {
      self->state.schedulers = to_handles<placing_scheduler_actor>(all.schedulers);
      if (!all.allocators.empty())
        self->state.allocator = caf::actor_cast<allocator_actor>(all.allocators.front());
    },
    [self](const commit_request& wanted) {
      if (wanted.scheduler < self->state.schedulers.size())
        commit(self, wanted);
      watch_holds(self);
    },
    [self](const sync_round& round) {
      auto& st = self->state;
      st.round = std::max(st.round, round.number);
      if (st.config.reports_first && st.report_pending)
        send_reports(self, st.core->reports(now(self)));
      st.core->sync(
        st.config.plan, round.number, now(self),
        [&](scheduler_id s) { // some need no view
          return s < st.schedulers.size() && st.schedulers[s];
        },
        [&](scheduler_id s, sync_update update) {
          self->send(st.schedulers[s], std::move(update));
        });
    },
    [self](const task_ends& news) {
      self->state.core->end(news.ends, now(self));
      announce(self);
      tell_allocator(self);
    },
    [self](const report_seen& seen) {
      auto& st = self->state;
      if (st.leases)
        st.leases->seen(seen.scheduler, seen.number, now(self));
      else if (seen.scheduler < st.schedulers.size())
        st.core->seen(seen.scheduler, seen.number, now(self));
    },
    [self](capacity_seen seen) {
      if (auto* outbox = self->state.core->outbox())
        outbox->seen(seen.number, now(self));
    },
    [self](const machine_capacity& what) {
      for (const auto& task : self->state.core->set_capacity(what, now(self)))
        order(self, what.machine, kill_order(task));
      if (const auto& with = self->state.config; with.tells_capacity) // behind the kills
        caf::anon_send(caf::actor_cast<queueing_machine_actor>((*with.handles)[what.machine]),
                       what);
      announce(self);
      tell_allocator(self);
    },
    [self](report_atom) {
      self->state.report_pending = false;
      send_reports(self, self->state.core->reports(now(self)));
    },
    [self](resend_atom) {
      self->state.resend_pending = false;
      send_again(self);
    },
    [self](wake_atom) {
      auto& st = self->state;
      st.release_pending = false;
      const auto released = st.core->release_silent(now(self) - st.config.hold_timeout, now(self));
      if (released > 0)
        log::warn("owner {}: {} holds of silent schedulers are released", st.config.id, released);
      watch_holds(self);
    },
    [self](sample_atom) { return sample(self, checks_always); },
    [self](flush_atom) { return sample(self, true); },
    [self](heartbeat_atom) { send_heartbeat(self); },
    [self](const heartbeat_reply& answer) {
      auto& st = self->state;
      st.member->hear(answer);
      st.leases->extend_lease(answer.answers);
    },
    [self](const membership& news) {
      auto& st = self->state;
      if (!st.member->hear(news) || quit_if_deposed(self))
        return;
      for (const auto& e : news.entries)
        if (e.what == role::scheduler)
          st.leases->scheduler_incarnations(e.number, e.incarnation, now(self));
      follow_up(self);
    },
    [self](const machine_heartbeat& heard) { hear(self, heard); },
    [self](const process_heartbeat& heard) { hear(self, heard); },
    [self](const capacity_call& call) {
      auto& st = self->state;
      const auto statement = st.leases->state_capacity(call, now(self));
      const auto to = st.config.failover->reach(role::allocator, 0, 0);
      if (!statement || !to)
        return;
      st.allocator = caf::actor_cast<allocator_actor>(to);
      caf::anon_send(caf::actor_cast<allocator_actor>(to), *statement);
      arm_resend(self);
    },
    [self](const sample_request& asked) {
      auto& st = self->state;
      auto status = sample(self, checks_always || asked.last, asked.details);
      return st.member ? st.unheard_samples.tell(asked.heard, st.member->as().incarnation,
                                                 std::move(status))
                       : status;
    },
  };
}

} // namespace troupe
