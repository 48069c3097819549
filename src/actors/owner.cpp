#include "actors/owner.hpp"

#include "actors/handlers.hpp"
#include "actors/prefetch.hpp"

#include <caf/send.hpp>
#include <spdlog/spdlog.h>

#include <algorithm>

namespace troupe {

namespace {

using owner_pointer = guarded_owner_actor::stateful_pointer<owner_state>;

instant now(owner_pointer self) {
  return self->state.config.clock.now(self);
}

/// Sends snapshots of everything to a scheduler that was just told what is known of it. At the
/// start of the run there is nothing to tell.
void send_view(owner_pointer self, scheduler_id to) {
  auto& state = self->state;
  const bool at_start = state.guard->epoch() == 1 && state.guard->life_of(to) == 1;
  if (!state.config.plan.any() || at_start || !state.schedulers[to])
    return;
  const auto round = std::max<std::uint64_t>(state.round, 1);
  self->send(state.schedulers[to], state.core->sync_all(round, to, now(self)));
}

/// Sees to it that a report goes out soon if there is anything to tell.
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

/// Tells the allocator at once what has become free.
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

void watch_machines(owner_pointer self) {
  auto& state = self->state;
  for (auto p : state.config.partitions)
    for (auto m : state.config.machines->members(p)) {
      const auto& handle = (*state.config.handles)[m];
      state.machine_of.emplace(handle.id(), m);
      self->monitor(handle);
    }
  self->set_down_handler([self](caf::down_msg& down) {
    const auto it = self->state.machine_of.find(down.source.id());
    if (it == self->state.machine_of.end())
      return;
    spdlog::info("owner {}: machine {} is gone", self->state.config.id, it->second);
    self->state.core->remove(it->second, now(self));
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

/// Sends again what nobody has seen.
void send_again(owner_pointer self) {
  auto& state = self->state;
  const auto before = now(self) - state.config.resend_after;
  auto again = state.core->unseen(before, now(self));
  if (!again.empty() || state.core->has_unseen())
    send_reports(self, std::move(again));
  auto* outbox = state.core->outbox();
  if (outbox == nullptr)
    return;
  for (auto& report : outbox->unseen(before, now(self)))
    self->send(state.allocator, std::move(report));
  if (outbox->has_unseen())
    arm_resend(self);
}

// -- where things fail --------------------------------------------------------------------------

void order(owner_pointer self, machine_id machine, const machine_order& what) {
  auto& state = self->state;
  if (const auto& to = state.guarded[machine])
    caf::anon_send(to, state.guard->order(machine, what, now(self)));
}

/// Has the granted placements launched by machines that may fail.
void order_granted(owner_pointer self, scheduler_id scheduler) {
  auto& state = self->state;
  auto leaves = state.core->evicted().begin();
  for (const auto& p : state.granted) {
    for (auto n = p.evicted; n > 0; --n, ++leaves) {
      machine_order kill;
      kill.kill = true;
      kill.what.task = leaves->task;
      order(self, p.machine, kill);
    }
    order(self, p.machine,
          {false,
           {p.task, state.config.id, p.demand, p.runtime, p.grant},
           scheduler,
           p.priority,
           p.tenant});
  }
}

/// Sends the statements that are due. Schedulers are reached in their latest lives.
void state_what_is_known(owner_pointer self) {
  auto& state = self->state;
  for (auto& [to, statement] : state.guard->statements(now(self))) {
    const auto handle = state.config.survival->reach(role::scheduler, to, state.guard->life_of(to));
    state.schedulers[to] = caf::actor_cast<placing_scheduler_actor>(handle);
    if (handle)
      caf::anon_send(caf::actor_cast<guarded_scheduler_actor>(handle), std::move(statement));
    send_view(self, to);
  }
}

void call_machines(owner_pointer self) {
  auto& state = self->state;
  for (auto& word : state.guard->calls())
    if (const auto handle = state.config.survival->reach(role::machine, word.machine, 0))
      caf::anon_send(caf::actor_cast<guarded_machine_actor>(handle), std::move(word));
}

void show_life(owner_pointer self) {
  auto& state = self->state;
  const auto& with = *state.config.survival;
  if (const auto master = with.reach(role::master, 0, 0))
    self->send(caf::actor_cast<guarded_master_actor>(master), state.member->beat(now(self)));
}

/// Quits if another one is what it was.
bool quit_if_deposed(owner_pointer self) {
  auto& state = self->state;
  if (!state.guard->deposed() && !state.member->deposed())
    return false;
  spdlog::info("owner {}: another one has taken over from life {}", state.config.id,
               state.guard->epoch());
  if (state.config.survival->retire)
    state.config.survival->retire();
  self->quit();
  return true;
}

/// What has changed at a guard's is told to everyone whom it concerns.
void follow_up(owner_pointer self) {
  auto& state = self->state;
  if (state.guard->ready() && !std::exchange(state.said_ready, true))
    spdlog::info("owner {}: grants in life {}; {} machines have reported", state.config.id,
                 state.guard->epoch(), state.guard->present());
  state_what_is_known(self);
  announce(self);
  tell_allocator(self);
}

void beat(owner_pointer self) {
  auto& state = self->state;
  if (quit_if_deposed(self))
    return;
  const auto present = state.guard->present();
  state.guard->check(now(self));
  if (const auto left = state.guard->present(); left < present)
    spdlog::info("owner {}: {} machines are silent and given up", state.config.id, present - left);
  show_life(self);
  if (!state.guard->ready())
    call_machines(self);
  follow_up(self);
  self->delayed_send(self, state.config.survival->heartbeat, beat_atom_v);
}

void hear(owner_pointer self, const machine_beat& heard) {
  auto& state = self->state;
  auto answer = state.guard->hear(heard, now(self));
  if (quit_if_deposed(self))
    return;
  auto& to = state.guarded[heard.machine];
  if (answer.new_life || !to)
    to = caf::actor_cast<guarded_machine_actor>(
      state.config.survival->reach(role::machine, heard.machine, 0));
  if (to && answer.word)
    caf::anon_send(to, std::move(*answer.word));
  if (to && answer.again)
    caf::anon_send(to, std::move(*answer.again));
  follow_up(self);
}

void survive(owner_pointer self) {
  auto& state = self->state;
  const auto& with = *state.config.survival;
  state.member.emplace(with);
  std::vector<incarnation> lives;
  for (scheduler_id s = 0; s < state.config.schedulers; ++s)
    lives.push_back(state.member->life_of(role::scheduler, s));
  state.schedulers.resize(lives.size());
  state.guard.emplace(*state.core, *state.config.machines, state.config.partitions,
                      std::move(lives), state.config.guard, now(self));
  self->send(self, beat_atom_v);
}

// -- in any case --------------------------------------------------------------------------------

void commit(owner_pointer self, const commit_request& wanted) {
  auto& state = self->state;
  if (state.guard) {
    state.guard->seen(wanted.scheduler, wanted.reports_seen);
    if (!state.guard->admits(wanted) || !state.guard->may_act(now(self)))
      return;
    state.granted.clear();
    auto reply = state.guard->offered(wanted) ? state.core->commit(wanted, state.granted, now(self))
                                              : state.core->refuse(wanted, conflict_cause::moved);
    order_granted(self, wanted.scheduler);
    if (const auto& to = state.schedulers[wanted.scheduler])
      self->send(to, std::move(reply));
    announce(self);
    tell_allocator(self);
    return;
  }
  for (const auto& p : wanted.placements)
    if (p.machine < state.config.handles->size())
      prefetch_actor(
        caf::actor_cast<caf::actor_control_block*>((*state.config.handles)[p.machine]));
  state.granted.clear();
  auto reply = state.core->commit(wanted, state.granted, now(self));
  auto leaves = state.core->evicted().begin();
  for (const auto& p : state.granted) {
    const auto& on = (*state.config.handles)[p.machine];
    for (auto n = p.evicted; n > 0; --n, ++leaves)
      caf::anon_send(on, kill_atom_v, leaves->task);
    caf::anon_send(on, launch_order{p.task, state.config.id, p.demand, p.runtime, p.grant});
  }
  self->send(state.schedulers[wanted.scheduler], std::move(reply));
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

owner_status sample(owner_pointer self, bool check) {
  auto& state = self->state;
  owner_status status{state.config.id, state.core->take_sample(now(self)), {}};
  if (check)
    status.sample.over_capacity += state.core->inconsistent();
  return status;
}

} // namespace

guarded_owner_actor::behavior_type owner(guarded_owner_actor::stateful_pointer<owner_state> self,
                                         owner_config config) {
  install_handlers(self);
  auto& state = self->state;
  state.core.emplace(config.id, *config.machines, config.partitions, config.schedulers,
                     config.detection, config.duties,
                     config.survival ? std::max(config.clock.now(self), instant{0}) : instant{0});
  state.config = std::move(config);
  if (state.config.survival)
    survive(self);
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
      for (scheduler_id s = 0; s < st.schedulers.size(); ++s) {
        if (!st.schedulers[s]) // one that needs no view
          continue;
        auto update = st.core->sync(st.config.plan, round.number, s, now(self));
        if (!update.partitions.empty())
          self->send(st.schedulers[s], std::move(update));
      }
    },
    [self](const task_ends& news) {
      self->state.core->end(news.ends, now(self));
      announce(self);
      tell_allocator(self);
    },
    [self](const report_seen& seen) {
      auto& st = self->state;
      if (st.guard)
        st.guard->seen(seen.scheduler, seen.number);
      else if (seen.scheduler < st.schedulers.size())
        st.core->seen(seen.scheduler, seen.number);
    },
    [self](capacity_seen seen) {
      if (auto* outbox = self->state.core->outbox())
        outbox->seen(seen.number);
    },
    [self](gone_atom, machine_id machine) {
      self->state.core->remove(machine, now(self));
      announce(self);
      tell_allocator(self);
    },
    [self](const machine_capacity& what) {
      for (const auto& task : self->state.core->set_capacity(what, now(self)))
        caf::anon_send((*self->state.config.handles)[what.machine], kill_atom_v, task);
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
        spdlog::warn("owner {}: {} holds of silent schedulers are released", st.config.id,
                     released);
      watch_holds(self);
    },
    [self](sample_atom) { return sample(self, checks_always); },
    [self](flush_atom) { return sample(self, true); },
    [self](beat_atom) { beat(self); },
    [self](const beat_answer& answer) {
      auto& st = self->state;
      st.member->hear(answer);
      st.guard->extend_lease(answer.answers);
    },
    [self](const roster& news) {
      auto& st = self->state;
      if (!st.member->hear(news) || quit_if_deposed(self))
        return;
      for (const auto& e : news.entries)
        if (e.what == role::scheduler)
          st.guard->scheduler_lives(e.number, e.life, now(self));
      follow_up(self);
    },
    [self](const machine_beat& heard) { hear(self, heard); },
    [self](const capacity_call& call) {
      auto& st = self->state;
      const auto statement = st.guard->state_capacity(call, now(self));
      const auto to = st.config.survival->reach(role::allocator, 0, 0);
      if (!statement || !to)
        return;
      st.allocator = caf::actor_cast<allocator_actor>(to);
      caf::anon_send(caf::actor_cast<guarded_allocator_actor>(to), *statement);
      arm_resend(self);
    },
    [self](const sample_request& asked) {
      auto& st = self->state;
      return st.unheard_samples.tell(asked.heard, st.member->as().life,
                                     sample(self, checks_always || asked.last));
    },
  };
}

} // namespace troupe
