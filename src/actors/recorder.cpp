#include "actors/recorder.hpp"

#include "actors/handlers.hpp"

#include <algorithm>

namespace troupe {

namespace {

using self_pointer = recorder_actor::stateful_pointer<recorder_state>;

/// How long an answer may take; only a busy machine in real time comes near it.
constexpr auto patience = std::chrono::minutes{2};

/// The mean utilization over the interval: as the machines' queues tell it, where there are any,
/// for no owner knows of every task then; otherwise as the owners do.
double utilization_of(const sample_round& round, const run_record& record) {
  const auto& queues = round.nodes.queues;
  if (queues.machines > 0) {
    const double seconds = queues.seconds - record.nodes.queues.seconds;
    return seconds > 0 ? (queues.used_seconds - record.nodes.queues.used_seconds) / seconds : 0;
  }
  const double weight = round.owners.capacity_weight;
  return weight > 0 ? round.used_share / weight : 0;
}

/// Puts what the machines' queues counted over the interval into the place of what the owners, who
/// do not know of every task, say of the resources, and adds it to what they say of the tenants.
void add_queues(sample_round& round, const run_record& record) {
  const auto& now = round.nodes.queues;
  const auto& before = record.nodes.queues;
  if (now.machines == 0)
    return;
  for (std::size_t k = 0; k < resource_kinds; ++k)
    round.owners.resources[k] = {now.resources[k].capacity - before.resources[k].capacity,
                                 now.resources[k].used - before.resources[k].used,
                                 now.resources[k].stranded - before.resources[k].stranded};
  auto& tenants = round.owners.tenants;
  tenants.resize(std::max(tenants.size(), now.tenants.size()));
  for (std::size_t t = 0; t < now.tenants.size(); ++t) {
    tenants[t].now += now.tenants[t].now;
    tenants[t].over += now.tenants[t].over;
    for (std::size_t k = 0; k < resource_kinds && t < before.tenants.size(); ++k)
      tenants[t].over.amount[k] -= before.tenants[t].over.amount[k];
  }
}

/// Has job stores say what became of tasks, where there are any: they know of every one, whatever
/// has become of its schedulers.
void trust_stores(sample_round& round, std::map<std::uint32_t, workload_status>& before) {
  for (std::size_t i = 0; i < round.workloads.size(); ++i) {
    const auto number = round.workload_numbers[i];
    const auto& now = round.workloads[i];
    if (!now.keeps_jobs || number >= round.groups.size())
      continue;
    auto& tasks = round.groups[number].tasks;
    auto& last = before[number];
    const auto over = now.tasks_over - last.tasks_over;
    tasks.submitted = now.tasks - last.tasks;
    tasks.failed = std::min(tasks.failed, over);
    tasks.lost = std::min(tasks.lost, over - tasks.failed);
    tasks.abandoned = std::min(tasks.abandoned, over - tasks.failed - tasks.lost);
    tasks.finished = over - tasks.failed - tasks.lost - tasks.abandoned;
    const auto jobs_over = (now.jobs - now.open_jobs) - (last.jobs - last.open_jobs);
    auto& group = round.groups[number];
    group.jobs_submitted = now.jobs - last.jobs;
    group.jobs_finished =
      jobs_over - std::min<std::uint64_t>(jobs_over, group.attempts.jobs_abandoned);
    // Whatever no scheduler that answers knows of waits for one.
    const auto open = now.tasks - now.tasks_over;
    tasks.running = std::min(tasks.running, open);
    tasks.in_commit = std::min(tasks.in_commit, open - tasks.running);
    tasks.queued = open - tasks.running - tasks.in_commit;
    last = now;
  }
}

void book(sample_round& round, const resource_sum& capacity, run_record& record) {
  std::lock_guard lock{record.mutex};
  add_queues(round, record);
  const double utilization = utilization_of(round, record);
  const auto& offers = round.offers;
  record.offers.merge(offers.all);
  auto& now = record.totals.tasks;
  now.queued = now.in_commit = now.running = 0;
  for (std::uint32_t g = 0; g < round.groups.size(); ++g) {
    const auto& sample = round.groups[g];
    now += sample.tasks;
    record.totals.conflicts += sample.conflicts;
    if (round.to > round.from || sample.tasks.submitted > 0 || sample.tasks.placed > 0)
      record.series.push_back({round.from, round.to, g, sample, utilization, round.owners.resources,
                               g < offers.groups.size() ? offers.groups[g] : offer_sample{}});
  }
  const auto seconds = to_seconds(round.to - round.from);
  for (std::uint32_t t = 0; seconds > 0 && t < round.owners.tenants.size(); ++t) {
    const auto& used = round.owners.tenants[t];
    record.tenants.push_back({round.from, round.to, t,
                              dominant_share(used.over, capacity) / seconds,
                              dominant_share(used.now, capacity)});
  }
  record.utilization_max = std::max(record.utilization_max, utilization);
  record.owners.machines = record.owners.running = 0; // those of now, not of all intervals
  record.owners.capacity_weight = 0;
  record.owners.tenants.clear();
  record.owners.merge(round.owners);
  record.nodes = round.nodes;
  record.workload_jobs = record.workload_tasks = 0;
  record.skipped_rows.clear();
  bool ended = true;
  bool kept = !round.workloads.empty();
  for (const auto& w : round.workloads) {
    kept = kept && w.keeps_jobs;
    ended = ended && (!w.keeps_jobs || w.open_jobs == 0);
    record.workload_jobs += w.jobs;
    record.workload_tasks += w.tasks;
    ended = ended && w.ended;
    for (const auto& [reason, n] : w.skipped_rows)
      record.skipped_rows[reason] += n;
    if (record.error.empty())
      record.error = w.error;
  }
  if (record.error.empty())
    record.error = round.error;
  record.sampled_at = round.to;
  record.finished = ended && (kept || (round.all_idle && now.submitted == record.workload_tasks));
}

void next_stage(self_pointer self);
void take_sample(self_pointer self);

void answered(self_pointer self) {
  if (--self->state.current.missing == 0)
    next_stage(self);
}

/// Asks `from`, which is `number` of its `role`, for its sample and books it with `merge`.
template <class Status, class Handle, class Question, class Merge>
void ask(self_pointer self, const char* role, std::size_t number, const Handle& from,
         Question question, Merge merge) {
  const bool survives = static_cast<bool>(self->state.config.reach);
  if (survives && !from)
    return;
  ++self->state.current.missing;
  self->request(from, survives ? self->state.config.patience : duration{patience}, question)
    .then(
      [self, merge](const Status& status) {
        merge(self->state.current, status);
        answered(self);
      },
      [self, role, number, survives](caf::error& why) {
        if (!survives)
          self->state.current.error = std::string{role} + " " + std::to_string(number) +
                                      " does not answer any more (" + self->system().render(why) +
                                      "); the log says more";
        answered(self);
      });
}

/// Returns those of a kind that are to be asked, by their numbers.
template <class Handle>
std::vector<Handle> those(self_pointer self, role what, std::size_t kind,
                          const std::vector<Handle>& handles) {
  const auto& config = self->state.config;
  if (!config.reach)
    return handles;
  std::vector<Handle> found;
  for (std::uint32_t n = 0; n < config.members[kind]; ++n)
    found.push_back(caf::actor_cast<Handle>(config.reach(what, n, 0)));
  return found;
}

void ask_workloads(self_pointer self) {
  const auto workloads = those(self, role::workload, 2, self->state.config.workloads);
  for (std::uint32_t w = 0; w < workloads.size(); ++w) {
    const auto merge = [w](sample_round& round, const workload_status& status) {
      round.workloads.push_back(status);
      round.workload_numbers.push_back(w);
    };
    if (self->state.last)
      ask<workload_status>(self, "workload", w, workloads[w], flush_atom_v, merge);
    else
      ask<workload_status>(self, "workload", w, workloads[w], sample_atom_v, merge);
  }
}

void ask_schedulers(self_pointer self) {
  const auto schedulers = those(self, role::scheduler, 0, self->state.config.schedulers);
  for (std::size_t s = 0; s < schedulers.size(); ++s)
    ask<scheduler_status>(self, "scheduler", s, schedulers[s], sample_atom_v,
                          [](sample_round& round, const scheduler_status& status) {
                            for (const auto& part : status.samples)
                              round.groups.at(part.group).merge(part.sample);
                            round.all_idle = round.all_idle && status.idle;
                          });
}

void ask_nodes(self_pointer self) {
  const auto merge = [](sample_round& round, const node_status& status) {
    round.nodes.launched += status.launched;
    round.nodes.ended += status.ended;
    round.nodes.killed += status.killed;
    round.nodes.over_capacity += status.over_capacity;
    round.nodes.queues.merge(status.queues);
  };
  const auto& with = self->state.config;
  const auto nodes = with.find_nodes ? with.find_nodes() : with.nodes;
  for (std::size_t n = 0; n < nodes.size(); ++n)
    ask<node_status>(self, "node", n, nodes[n], sample_atom_v, merge);
}

void ask_owners(self_pointer self) {
  const auto merge = [](sample_round& round, const owner_status& status) {
    const auto& s = status.sample;
    round.owners.merge(s);
    if (s.seconds > 0)
      round.used_share += s.used_seconds / s.seconds * s.capacity_weight;
  };
  const auto owners = those(self, role::owner, 1, self->state.config.owners);
  for (std::size_t o = 0; o < owners.size(); ++o)
    if (self->state.last)
      ask<owner_status>(self, "owner", o, owners[o], flush_atom_v, merge);
    else
      ask<owner_status>(self, "owner", o, owners[o], sample_atom_v, merge);
}

void ask_allocators(self_pointer self) {
  const auto& allocators = self->state.config.allocators;
  for (std::size_t a = 0; a < allocators.size(); ++a)
    ask<allocator_status>(
      self, "allocator", a, allocators[a], sample_atom_v,
      [](sample_round& round, const allocator_status& status) { round.offers = status; });
}

void complete(self_pointer self) {
  auto& state = self->state;
  state.sampling = false;
  if (state.config.reach)
    trust_stores(state.current, state.before);
  book(state.current, state.config.capacity, *state.config.record);
  if (state.last) {
    std::lock_guard lock{state.config.record->mutex};
    state.config.record->flushed = true;
    state.flushed.deliver(caf::ok_atom_v);
  } else if (state.flush_waits) {
    state.last = true;
    take_sample(self);
  }
}

void next_stage(self_pointer self) {
  static constexpr void (*stages[])(self_pointer) = {ask_workloads, ask_schedulers, ask_nodes,
                                                     ask_owners, ask_allocators};
  auto& current = self->state.current;
  while (current.missing == 0 && current.stage < std::size(stages))
    stages[current.stage++](self);
  if (current.missing == 0)
    complete(self);
}

void take_sample(self_pointer self) {
  auto& state = self->state;
  const auto from = state.current.to;
  state.sampling = true;
  state.current = {};
  state.current.from = from;
  state.current.to = state.config.clock.now(self);
  state.current.groups.resize(state.config.groups);
  next_stage(self);
}

void wait_for_next(self_pointer self) {
  auto& state = self->state;
  ++state.ticks;
  const auto due = instant{state.config.interval.count() * static_cast<std::int64_t>(state.ticks)};
  self->scheduled_send(self, state.config.clock.at(due), due_atom_v);
}

} // namespace

recorder_actor::behavior_type recorder(recorder_actor::stateful_pointer<recorder_state> self,
                                       recorder_config config) {
  install_handlers(self);
  self->state.config = std::move(config);
  wait_for_next(self);
  return {
    [self](due_atom) {
      // A sample that is still under way goes on into this interval.
      if (!self->state.sampling && !self->state.last)
        take_sample(self);
      wait_for_next(self);
    },
    [self](flush_atom) -> caf::result<caf::ok_atom> {
      auto& state = self->state;
      state.flushed = self->make_response_promise<caf::ok_atom>();
      if (!state.sampling) {
        state.last = true;
        take_sample(self);
      } else {
        state.flush_waits = true;
      }
      return state.flushed;
    },
  };
}

} // namespace troupe
