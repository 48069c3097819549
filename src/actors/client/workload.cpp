#include "actors/client/workload.hpp"

#include "actors/common/handlers.hpp"

#include <caf/send.hpp>

namespace troupe {

void job_traits::apply(job& to) const {
  to.tenant = tenant.value_or(to.tenant);
  to.priority += priority;
  to.gang = to.gang || gang;
  to.spread = to.spread || spread;
  to.at_once = at_once;
  for (auto& group : to.groups) {
    group.constraints.insert(group.constraints.end(), constraints.begin(), constraints.end());
    group.task_class = task_class;
  }
}

namespace {

using workload_pointer = workload_actor::stateful_pointer<workload_state>;

/// Reads the next job; a source that fails ends the stream and leaves its reason.
void advance(workload_state& state) {
  try {
    state.next = state.config.source->next();
  } catch (const std::exception& e) {
    state.next.reset();
    state.status.error = e.what();
  }
  const auto& source = *state.config.source;
  state.status.ended = !state.next && !source.goes_on() && !source.jobs_wait();
}

void wait_for_next(workload_pointer self) {
  auto& state = self->state;
  if (!state.next)
    return;
  const auto tick = state.config.tick.count();
  const auto at = state.next->submitted.count();
  const instant due{tick > 0 ? (at + tick - 1) / tick * tick : at};
  if (state.config.source->hears_ends()) {
    if (state.woken && *state.woken <= due)
      return;
    state.woken = due;
  }
  self->scheduled_send(self, state.config.clock.at(due), due_atom_v);
}

std::size_t schedulers(const workload_state& state) {
  return state.store ? state.config.schedulers : state.schedulers.size();
}

/// Returns the scheduler that gets the next job.
std::size_t next_scheduler(workload_state& state) {
  const std::size_t first = state.config.long_schedulers;
  if (first > 0 && state.next->estimate >= state.config.cutoff)
    return state.long_turn++ % first;
  return first + state.turn++ % (schedulers(state) - first);
}

/// Delivers the jobs that are kept and not confirmed.
void deliver(workload_pointer self) {
  auto& state = self->state;
  auto& store = *state.store;
  for (auto& [to, what] : store.deliveries(state.config.clock.now(self)))
    if (const auto handle =
          state.config.failover->reach(role::scheduler, to, store.incarnation_of(to)))
      caf::anon_send(caf::actor_cast<job_taker_actor>(handle), std::move(what));
}

/// Decides whether and when a job is withdrawn.
void plan_withdrawal(workload_pointer self, job_id id) {
  auto& state = self->state;
  auto& by = state.config.withdrawals;
  if (by.share > 0 && by.random.unit() < by.share)
    state.withdrawals.emplace(state.config.clock.now(self) +
                                duration{static_cast<std::int64_t>(
                                  by.random.below(static_cast<std::uint64_t>(by.within.count())))},
                              id);
}

void withdraw_due(workload_pointer self) {
  auto& state = self->state;
  const auto end = state.withdrawals.upper_bound(state.config.clock.now(self));
  for (auto it = state.withdrawals.begin(); it != end; ++it)
    state.store->withdraw(it->second);
  state.withdrawals.erase(state.withdrawals.begin(), end);
}

void send_heartbeat(workload_pointer self) {
  auto& state = self->state;
  const auto& with = *state.config.failover;
  if (const auto master = with.reach(role::master, 0, 0))
    self->send<caf::message_priority::high>(caf::actor_cast<master_actor>(master),
                                            state.member->heartbeat(state.config.clock.now(self)));
  withdraw_due(self);
  deliver(self);
  self->delayed_send(self, with.heartbeat, heartbeat_atom_v);
}

void watch_failures(workload_pointer self) {
  auto& state = self->state;
  const auto& with = *state.config.failover;
  state.member.emplace(with);
  std::vector<incarnation_id> incarnations;
  for (std::uint32_t s = 0; s < state.config.schedulers; ++s)
    incarnations.push_back(
      state.member->incarnation_of(role::scheduler, state.config.first_scheduler + s));
  state.store.emplace(state.config.number, state.config.first_scheduler, std::move(incarnations),
                      with.heartbeat);
  if (const auto& source = state.config.source; source->goes_on())
    state.store->when_over(
      [source](const task_id& task, task_fate fate) { source->note_over(task, fate); });
  else if (source->hears_ends())
    state.store->when_over([self, source](const task_id& task, task_fate) {
      constexpr std::uint64_t number = (std::uint64_t{1} << 40) - 1;
      source->note_end(task.job & number, self->state.config.clock.now(self));
    });
  self->send(self, heartbeat_atom_v);
}

void hear(workload_pointer self, const store_report& news) {
  auto& state = self->state;
  const bool jobs_waited = state.config.source->jobs_wait();
  const auto answer = state.store->hear(news, state.config.clock.now(self));
  if (jobs_waited) { // another job may be the next one now
    if (state.next)
      state.config.source->give_back(std::move(*state.next));
    advance(state);
    wait_for_next(self);
  }
  const auto from =
    answer ? state.config.failover->reach(role::scheduler, news.scheduler, news.incarnation)
           : nullptr;
  if (from)
    caf::anon_send(caf::actor_cast<job_taker_actor>(from), *answer);
}

void submit_due(workload_pointer self) {
  auto& state = self->state;
  const auto now = state.config.clock.now(self);
  const bool from_clients = state.config.source->goes_on();
  if (from_clients && now < state.config.source->opens())
    return;
  if (state.woken && *state.woken <= now)
    state.woken.reset();
  if (from_clients && !state.next)
    advance(state);
  std::vector<submission> batches(schedulers(state));
  while (state.next && (from_clients || state.next->submitted <= now)) {
    if (from_clients)
      state.next->submitted = now;
    const auto number = from_clients ? state.next->id : state.status.jobs;
    state.next->id = (job_id{state.config.number} << 40) | number;
    ++state.status.jobs;
    state.next->group = state.config.number;
    state.config.traits.apply(*state.next);
    state.status.tasks += state.next->task_count();
    const auto to = next_scheduler(state);
    if (state.store) {
      plan_withdrawal(self, state.next->id);
      state.store->add(to, std::move(*state.next));
    } else {
      batches[to].jobs.push_back(std::move(*state.next));
    }
    advance(state);
  }
  if (from_clients && state.store)
    for (const auto id : state.config.source->take_withdrawn())
      state.store->withdraw((job_id{state.config.number} << 40) | id);
  for (std::size_t i = 0; i < batches.size(); ++i)
    if (!batches[i].jobs.empty())
      self->send(state.schedulers[i], std::move(batches[i]));
  if (state.store)
    deliver(self);
  wait_for_next(self);
}

void wake(const caf::weak_actor_ptr& workload) {
  if (const auto to = workload.lock())
    caf::anon_send(caf::actor_cast<workload_actor>(to), due_atom_v);
}

const workload_status& status(workload_pointer self) {
  auto& state = self->state;
  state.status.skipped_rows = state.config.source->skipped_rows();
  state.status.moved = state.config.source->moved();
  if (state.store) {
    state.status.keeps_jobs = true;
    state.status.tasks = state.store->tasks();
    state.status.open_jobs = state.store->open_jobs();
    state.status.tasks_over = state.store->over();
    state.status.handed = state.store->handed();
    state.status.tasks_by_fate = state.store->tasks_by_fate();
    state.status.jobs_by_fate = state.store->jobs_by_fate();
    state.status.first_scheduler = state.config.first_scheduler;
    state.status.ages = state.store->ages(state.config.clock.now(self), state.config.warmup);
  }
  return state.status;
}

} // namespace

workload_actor::behavior_type workload(workload_actor::stateful_pointer<workload_state> self,
                                       workload_config config) {
  install_handlers(self);
  self->state.config = std::move(config);
  if (self->state.config.failover)
    watch_failures(self);
  return {
    [self](const peers& all) {
      auto& state = self->state;
      state.schedulers = to_handles<scheduler_actor>(all.schedulers);
      if (state.config.source->goes_on()) {
        // The handle is weak: the source may outlive the actor.
        state.config.source->when_more(
          [to = caf::actor_cast<caf::weak_actor_ptr>(self)] { wake(to); });
        self->scheduled_send(self, state.config.clock.at(state.config.source->opens()), due_atom_v);
        return;
      }
      advance(state);
      wait_for_next(self);
    },
    [self](due_atom) { submit_due(self); },
    [self](sample_atom) { return status(self); },
    [self](flush_atom) {
      self->state.next.reset();
      return status(self);
    },
    [self](heartbeat_atom) { send_heartbeat(self); },
    [self](const heartbeat_reply& answer) { self->state.member->hear(answer); },
    [self](const membership& news) {
      auto& state = self->state;
      if (!state.member->hear(news))
        return;
      for (const auto& e : news.entries)
        if (e.what == role::scheduler)
          state.store->scheduler_incarnations(e.number, e.incarnation);
      deliver(self);
    },
    [self](const store_report& news) { hear(self, news); },
  };
}

} // namespace troupe
