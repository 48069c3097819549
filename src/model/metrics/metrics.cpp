#include "model/metrics/metrics.hpp"

#include <algorithm>

namespace troupe {

namespace {

/// Adds the use by each tenant.
void merge_tenants(std::vector<tenant_usage>& to, const std::vector<tenant_usage>& from) {
  if (to.size() < from.size())
    to.resize(from.size());
  for (std::size_t t = 0; t < from.size(); ++t) {
    to[t].now += from[t].now;
    to[t].over += from[t].over;
  }
}

void merge_uses(resource_uses& to, const resource_uses& from) {
  for (std::size_t k = 0; k < resource_kinds; ++k)
    to[k].merge(from[k]);
}

} // namespace

task_counts& task_counts::operator+=(const task_counts& other) {
  add_growing(other);
  add_present(other);
  return *this;
}

void task_counts::add_growing(const task_counts& other) {
  submitted += other.submitted;
  placed += other.placed;
  finished += other.finished;
  failed += other.failed;
  lost += other.lost;
  abandoned += other.abandoned;
}

void task_counts::add_present(const task_counts& other) {
  queued += other.queued;
  in_commit += other.in_commit;
  running += other.running;
}

void view_age::merge(const view_age& other) {
  if (!(other.seconds > 0))
    return;
  min = seconds > 0 ? std::min(min, other.min) : other.min;
  max = seconds > 0 ? std::max(max, other.max) : other.max;
  weighted += other.weighted;
  seconds += other.seconds;
}

void preemption_counts::merge(const preemption_counts& other) {
  tasks += other.tasks;
  ran += other.ran;
  work += other.work;
}

void sparrow_sample::merge(const sparrow_sample& other) {
  probes += other.probes;
  reservations += other.reservations;
  requests += other.requests;
  noops += other.noops;
  cancellations += other.cancellations;
  stolen += other.stolen;
  launched += other.launched;
  started += other.started;
  ratio.merge(other.ratio);
}

void queue_counts::merge(const queue_counts& other) {
  machines += other.machines;
  launched += other.launched;
  steal_attempts += other.steal_attempts;
  steals += other.steals;
  stolen += other.stolen;
  used_seconds += other.used_seconds;
  seconds += other.seconds;
  merge_uses(resources, other.resources);
  merge_tenants(tenants, other.tenants);
}

void scheduler_sample::merge_present(const scheduler_sample& other) {
  tasks.add_present(other.tasks);
  waiting.merge(other.waiting);
  open_jobs.merge(other.open_jobs);
}

void scheduler_sample::merge_growing(const scheduler_sample& other) {
  tasks.add_growing(other.tasks);
  jobs_submitted += other.jobs_submitted;
  jobs_finished += other.jobs_finished;
  jobs_failed += other.jobs_failed;
  molded += other.molded;
  conflicts += other.conflicts;
  for (std::size_t i = 0; i < conflict_causes; ++i)
    conflicts_by_cause[i] += other.conflicts_by_cause[i];
  commits += other.commits;
  retransmits += other.retransmits;
  busy += other.busy;
  delay.merge(other.delay);
  given_up.merge(other.given_up);
  waited += other.waited;
  job_response.merge(other.job_response);
  broken_jobs.merge(other.broken_jobs);
  quality.merge(other.quality);
  placement_age.merge(other.placement_age);
  age.merge(other.age);
  oldest_partition = std::max(oldest_partition, other.oldest_partition);
  snapshots += other.snapshots;
  duplicate_grants += other.duplicate_grants;
  constraint_violations += other.constraint_violations;
  attempts.merge(other.attempts);
  sparrow.merge(other.sparrow);
  preempted.merge(other.preempted);
}

void resource_use::merge(const resource_use& other) {
  capacity += other.capacity;
  used += other.used;
  stranded += other.stranded;
}

void owner_sample::merge(const owner_sample& other) {
  machines += other.machines;
  running += other.running;
  used_seconds += other.used_seconds;
  seconds += other.seconds;
  capacity_weight += other.capacity_weight;
  accepted += other.accepted;
  rejected += other.rejected;
  ended += other.ended;
  over_capacity += other.over_capacity;
  unknown_ends += other.unknown_ends;
  evicted += other.evicted;
  merge_tenants(tenants, other.tenants);
  merge_uses(resources, other.resources);
}

} // namespace troupe
