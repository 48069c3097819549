#include "actors/recorder/sample_booking.hpp"

#include <algorithm>

namespace troupe {

namespace {

/// The mean utilization of the cluster over the interval: as the machines' queues tell it, where
/// there are any, for no owner knows of every task then; otherwise that of the most used resource,
/// all owners together.
double utilization_of(const sample_round& round, const run_record& record) {
  const auto& queues = round.nodes.queues;
  if (queues.machines > 0) {
    const double seconds = queues.seconds - record.nodes.queues.seconds;
    return seconds > 0 ? (queues.used_seconds - record.nodes.queues.used_seconds) / seconds : 0;
  }
  double most = 0;
  for (const auto& use : round.owners.resources)
    most = std::max(most, use.utilization());
  return most;
}

/// Replaces the owners' figures of resources by those of the machines' queues over the interval,
/// since the owners do not know every task, and adds the latter to the owners' figures of tenants.
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

std::uint64_t more_than(std::uint64_t a, std::uint64_t b) {
  return a > b ? a - b : 0;
}

/// Leaves out tasks that moldable jobs have got and of which their job store has not heard.
void leave_out(task_counts& tasks, std::uint64_t unheard) {
  for (auto place : {&task_counts::in_commit, &task_counts::running, &task_counts::queued}) {
    const auto here = std::min(tasks.*place, unheard);
    tasks.*place -= here;
    unheard -= here;
  }
}

/// Adds the tasks that no scheduler reports to those of a group: tasks that its schedulers have not
/// taken yet, and the tasks of silent schedulers, wait; a task that is over for its scheduler but
/// not for the job store has not ended.
void add_what_is_under_way(task_counts& tasks, std::uint32_t store, const sample_round& round,
                           const std::vector<handed_tasks>& handed) {
  for (const auto& h : handed) {
    const auto by = round.schedulers.find(h.scheduler);
    if (by == round.schedulers.end() || by->second.incarnation != h.incarnation) {
      tasks.queued += h.given - h.heard;
      continue;
    }
    taken_tasks has;
    for (const auto& t : by->second.places.stores)
      if (t.store == store)
        has = t;
    tasks.queued += more_than(h.given, has.taken) + has.left;
    leave_out(tasks, std::min(has.added, more_than(has.taken, h.given)));
    tasks.running += more_than(has.over, h.heard);
  }
}

/// Checks that every task is in one place. Keeps earlier imbalances.
void balance(const sample_round& round, bool last, run_record& record) {
  std::vector<store_account> stores;
  for (std::size_t i = 0; i < round.workloads.size(); ++i)
    if (round.workloads[i].keeps_jobs)
      stores.push_back(account_of(round.workload_numbers[i], round.workloads[i]));
  auto now = balance_of(stores, round.schedulers, last ? &round.later : nullptr);
  if (!record.balance.wrong.empty())
    now.wrong = record.balance.wrong;
  record.balance = std::move(now);
  record.complete = round.silent == 0;
}

} // namespace

store_account account_of(std::uint32_t number, const workload_status& status) {
  return {number, status.tasks, status.tasks_over, status.handed};
}

void trust_stores(sample_round& round, std::map<std::uint32_t, workload_status>& before) {
  for (auto& group : round.groups) {
    auto& t = group.tasks;
    t.submitted = t.finished = t.failed = t.lost = t.abandoned = 0;
    group.jobs_submitted = group.jobs_finished = group.jobs_failed = 0;
    group.molded = 0; // the stores have heard of them
    group.attempts.jobs_abandoned = 0;
  }
  for (std::size_t i = 0; i < round.workloads.size(); ++i) {
    const auto number = round.workload_numbers[i];
    const auto& now = round.workloads[i];
    if (!now.keeps_jobs || number >= round.groups.size())
      continue;
    auto& tasks = round.groups[number].tasks;
    auto& last = before[number];
    tasks.submitted = now.tasks - last.tasks;
    const auto tasks_of = [&](task_fate fate) {
      const auto f = static_cast<std::size_t>(fate);
      return now.tasks_by_fate[f] - last.tasks_by_fate[f];
    };
    const auto jobs_of = [&](task_fate fate) {
      const auto f = static_cast<std::size_t>(fate);
      return now.jobs_by_fate[f] - last.jobs_by_fate[f];
    };
    tasks.finished = tasks_of(task_fate::finished);
    tasks.failed = tasks_of(task_fate::failed);
    tasks.lost = tasks_of(task_fate::lost);
    tasks.abandoned = tasks_of(task_fate::abandoned);
    auto& group = round.groups[number];
    group.jobs_submitted = now.jobs - last.jobs;
    group.jobs_finished = jobs_of(task_fate::finished);
    group.jobs_failed = jobs_of(task_fate::failed) + jobs_of(task_fate::lost);
    group.attempts.jobs_abandoned = jobs_of(task_fate::abandoned);
    for (std::size_t s = 0; s < now.ages.size(); ++s)
      if (!round.answered.contains(now.first_scheduler + static_cast<scheduler_id>(s))) {
        group.waiting.merge(now.ages[s].tasks);
        group.open_jobs.merge(now.ages[s].jobs);
      }
    last = now;
  }
  round.workloads.clear();
  round.workload_numbers.clear();
  for (const auto& [number, status] : before) {
    round.workloads.push_back(status);
    round.workload_numbers.push_back(number);
    add_what_is_under_way(round.groups.at(number).tasks, number, round, status.handed);
  }
}

void book_sample(sample_round& round, const resource_sum& capacity, bool last, run_record& record) {
  std::lock_guard lock{record.mutex};
  balance(round, last, record);
  add_queues(round, record);
  const double utilization = utilization_of(round, record);
  round.utilization = utilization;
  const auto& offers = round.offers;
  record.offers.merge(offers.all);
  auto& now = record.totals.tasks;
  now.queued = now.in_commit = now.running = 0;
  for (std::uint32_t g = 0; g < round.groups.size(); ++g) {
    const auto& sample = round.groups[g];
    now += sample.tasks;
    record.totals.conflicts += sample.conflicts;
    record.totals.molded += sample.molded;
    if (round.to == round.from && sample.tasks.submitted == 0 && sample.tasks.placed == 0)
      continue;
    record.series.push_back({round.from, round.to, g, sample, utilization, round.owners.resources,
                             g < offers.groups.size() ? offers.groups[g] : offer_sample{}});
    record.sums.add(record.series.back());
  }
  const auto seconds = to_seconds(round.to - round.from);
  for (std::uint32_t t = 0; seconds > 0 && t < round.owners.tenants.size(); ++t) {
    const auto& used = round.owners.tenants[t];
    record.tenants.push_back({round.from, round.to, t,
                              dominant_share(used.over, capacity) / seconds,
                              dominant_share(used.now, capacity)});
    record.sums.add(record.tenants.back());
  }
  if (round.to > round.from)
    record.schedulers.add(std::move(round.scheduler_rows));
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
    record.moved = std::max(record.moved, w.moved);
    if (record.error.empty() && !w.error.empty()) {
      record.error = w.error;
      record.bad_input = true;
    }
  }
  if (record.error.empty())
    record.error = round.error;
  record.sampled_at = round.to;
  record.finished =
    ended &&
    (kept || (round.all_idle && now.submitted == record.workload_tasks + record.totals.molded));
}

} // namespace troupe
