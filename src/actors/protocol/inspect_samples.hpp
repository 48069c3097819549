#pragma once

#include "actors/protocol/inspect.hpp"
#include "model/live/member_details.hpp"
#include "model/metrics/metrics.hpp"
#include "model/metrics/task_balance.hpp"
#include "model/protocol/offers.hpp"

/// How the messages to the recorder are serialized.
namespace troupe {

template <class I>
typename I::result_type inspect(I& f, resource_sum& x) {
  return inspect_fields(f, "resource_sum", x.amount);
}

template <class I>
typename I::result_type inspect(I& f, resource_seconds& x) {
  auto& [a, b, c, d] = x.amount;
  return inspect_exactly(f, "resource_seconds", std::tuple<>{}, std::tie(a, b, c, d));
}

template <class I>
typename I::result_type inspect(I& f, offer_sample& x) {
  return inspect_exactly(
    f, "offer_sample", std::tie(x.made, x.accepted, x.declined, x.timed_out, x.rescinded),
    std::tie(x.seconds, x.locked_seconds, x.locked_max, x.share_seconds, x.share_max));
}

template <class I>
typename I::result_type inspect(I& f, sample_mark& x) {
  return inspect_fields(f, "sample_mark", x.incarnation, x.number);
}

template <class I>
typename I::result_type inspect(I& f, handed_tasks& x) {
  return inspect_fields(f, "handed_tasks", x.scheduler, x.incarnation, x.given, x.unconfirmed,
                        x.heard);
}

template <class I>
typename I::result_type inspect(I& f, taken_tasks& x) {
  return inspect_fields(f, "taken_tasks", x.store, x.taken, x.over, x.untold, x.left, x.added);
}

template <class I>
typename I::result_type inspect(I& f, task_places& x) {
  return inspect_fields(f, "task_places", x.told, x.queued, x.in_commit, x.running, x.stores);
}

template <class I>
typename I::result_type inspect(I& f, allocator_status& x) {
  return inspect_fields(f, "allocator_status", x.all, x.groups, x.mark);
}

template <class I>
typename I::result_type inspect(I& f, task_counts& x) {
  return inspect_fields(f, "task_counts", x.submitted, x.placed, x.finished, x.failed, x.lost,
                        x.abandoned, x.queued, x.in_commit, x.running);
}

template <class I>
typename I::result_type inspect(I& f, view_age& x) {
  return inspect_exactly(f, "view_age", std::tuple<>{},
                         std::tie(x.weighted, x.seconds, x.min, x.max));
}

template <class I>
typename I::result_type inspect(I& f, attempt_counts& x) {
  return inspect_fields(f, "attempt_counts", x.transactions, x.conflicted, x.aborted, x.diverted,
                        x.wasted, x.at_once, x.later, x.wait, x.granted_by_age, x.refused_by_age,
                        x.refused_age, x.gangs_placed, x.gangs_broken, x.gangs_impossible,
                        x.jobs_abandoned, x.unplaceable);
}

template <class I>
typename I::result_type inspect(I& f, preemption_counts& x) {
  return inspect_fields(f, "preemption_counts", x.tasks, x.ran, x.work);
}

template <class I>
typename I::result_type inspect(I& f, sparrow_sample& x) {
  return inspect_fields(f, "sparrow_sample", x.probes, x.reservations, x.requests, x.noops,
                        x.cancellations, x.stolen, x.launched, x.started, x.ratio);
}

template <class I>
typename I::result_type inspect(I& f, scheduler_sample& x) {
  return inspect_exactly(
    f, "scheduler_sample",
    std::tie(x.tasks, x.jobs_submitted, x.jobs_finished, x.jobs_failed, x.molded, x.conflicts,
             x.conflicts_by_cause, x.commits, x.retransmits, x.busy, x.delay, x.waiting, x.given_up,
             x.job_response, x.open_jobs, x.broken_jobs, x.quality, x.placement_age, x.age,
             x.oldest_partition, x.snapshots, x.duplicate_grants, x.constraint_violations,
             x.preempted, x.attempts, x.sparrow),
    std::tie(x.waited));
}

template <class I>
typename I::result_type inspect(I& f, kept_ages& x) {
  return inspect_fields(f, "kept_ages", x.tasks, x.jobs);
}

template <class I>
typename I::result_type inspect(I& f, group_sample& x) {
  return inspect_fields(f, "group_sample", x.group, x.sample);
}

template <class I>
typename I::result_type inspect(I& f, tenant_usage& x) {
  return inspect_fields(f, "tenant_usage", x.now, x.over);
}

template <class I>
typename I::result_type inspect(I& f, resource_use& x) {
  return inspect_exactly(f, "resource_use", std::tuple<>{},
                         std::tie(x.capacity, x.used, x.stranded));
}

template <class I>
typename I::result_type inspect(I& f, owner_sample& x) {
  return inspect_exactly(f, "owner_sample",
                         std::tie(x.machines, x.running, x.accepted, x.rejected, x.ended,
                                  x.over_capacity, x.unknown_ends, x.evicted, x.tenants,
                                  x.resources),
                         std::tie(x.used_seconds, x.seconds, x.capacity_weight));
}

template <class I>
typename I::result_type inspect(I& f, queue_counts& x) {
  return inspect_exactly(
    f, "queue_counts",
    std::tie(x.machines, x.launched, x.steal_attempts, x.steals, x.stolen, x.resources, x.tenants),
    std::tie(x.used_seconds, x.seconds));
}

template <class I>
typename I::result_type inspect(I& f, node_status& x) {
  return inspect_fields(f, "node_status", x.launched, x.ended, x.killed, x.over_capacity, x.queues);
}

template <class I>
typename I::result_type inspect(I& f, partition_details& x) {
  return inspect_fields(f, "partition_details", x.partition, x.capacity, x.used, x.machines, x.up,
                        x.running, x.granted, x.refused);
}

template <class I>
typename I::result_type inspect(I& f, scheduler_details& x) {
  return inspect_fields(f, "scheduler_details", x.policy, x.ages_ms);
}

#define TROUPE_SAMPLE_TYPES(X, Link)                                                               \
  X(Link, resource_sum);                                                                           \
  X(Link, resource_seconds);                                                                       \
  X(Link, offer_sample);                                                                           \
  X(Link, sample_mark);                                                                            \
  X(Link, handed_tasks);                                                                           \
  X(Link, taken_tasks);                                                                            \
  X(Link, task_places);                                                                            \
  X(Link, allocator_status);                                                                       \
  X(Link, task_counts);                                                                            \
  X(Link, view_age);                                                                               \
  X(Link, attempt_counts);                                                                         \
  X(Link, preemption_counts);                                                                      \
  X(Link, sparrow_sample);                                                                         \
  X(Link, scheduler_sample);                                                                       \
  X(Link, kept_ages);                                                                              \
  X(Link, group_sample);                                                                           \
  X(Link, tenant_usage);                                                                           \
  X(Link, resource_use);                                                                           \
  X(Link, owner_sample);                                                                           \
  X(Link, queue_counts);                                                                           \
  X(Link, node_status);                                                                            \
  X(Link, partition_details);                                                                      \
  X(Link, scheduler_details);

TROUPE_SAMPLE_TYPES(TROUPE_INSPECTION, extern)

} // namespace troupe
