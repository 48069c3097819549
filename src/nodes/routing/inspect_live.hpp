#pragma once

#include "actors/protocol/inspect_samples.hpp"
#include "model/live/live_report.hpp"

/// How the live state of a run is serialized between nodes, and to clients.
namespace troupe {

template <class I>
typename I::result_type inspect(I& f, group_info& x) {
  return inspect_fields(f, "group_info", x.name, x.policy, x.schedulers);
}

template <class I>
typename I::result_type inspect(I& f, phase_info& x) {
  return inspect_fields(f, "phase_info", x.from, x.to);
}

template <class I>
typename I::result_type inspect(I& f, live_about& x) {
  return inspect_exactly(f, "live_about",
                         std::tie(x.run, x.name, x.architecture, x.policy, x.world, x.seed,
                                  x.interval, x.length, x.sync_gap, x.machines, x.owners, x.pool,
                                  x.groups, x.group_of, x.policies, x.owner_of, x.phases),
                         std::tie(x.origin));
}

template <class I>
typename I::result_type inspect(I& f, live_member& x) {
  return inspect_fields(f, "live_member", x.state, x.incarnation, x.takeovers, x.missed);
}

template <class I>
typename I::result_type inspect(I& f, scheduler_sums& x) {
  return inspect_exactly(
    f, "scheduler_sums",
    std::tie(x.placed, x.transactions, x.commits, x.retransmits, x.snapshots, x.conflicts),
    std::tie(x.busy, x.wasted));
}

template <class I>
typename I::result_type inspect(I& f, delay_figures& x) {
  return inspect_exactly(f, "delay_figures", std::tie(x.count),
                         std::tie(x.mean, x.p50, x.p90, x.p99, x.max));
}

template <class I>
typename I::result_type inspect(I& f, value_band& x) {
  return inspect_exactly(f, "value_band", std::tuple<>{}, std::tie(x.min, x.mid, x.max));
}

template <class I>
typename I::result_type inspect(I& f, group_point& x) {
  return inspect_fields(f, "group_point", x.queued, x.submitted, x.placed, x.conflicts, x.delay);
}

template <class I>
typename I::result_type inspect(I& f, scheduler_point& x) {
  return inspect_exactly(f, "scheduler_point", std::tie(x.placed, x.conflicts),
                         std::tie(x.queued, x.busy, x.delay_mean, x.delay_p99, x.age));
}

template <class I>
typename I::result_type inspect(I& f, partition_point& x) {
  return inspect_fields(f, "partition_point", x.use, x.refused);
}

template <class I>
typename I::result_type inspect(I& f, live_row& x) {
  auto& [u0, u1, u2, u3] = x.used;
  auto& [s0, s1, s2, s3] = x.stranded;
  return inspect_exactly(f, "live_row",
                         std::tie(x.number, x.from, x.to, x.tasks, x.jobs_submitted, x.jobs_over,
                                  x.conflicts, x.preempted, x.commits, x.snapshots, x.delay,
                                  x.quality, x.age, x.busy, x.queue, x.groups, x.schedulers,
                                  x.partitions, x.delays),
                         std::tie(x.utilization, u0, u1, u2, u3, s0, s1, s2, s3));
}

template <class I>
typename I::result_type inspect(I& f, live_scheduler& x) {
  return inspect_exactly(f, "live_scheduler",
                         std::tie(x.life, x.policy, x.queued, x.in_commit, x.running, x.placed,
                                  x.transactions, x.commits, x.conflicts, x.delay, x.sums,
                                  x.ages_ms),
                         std::tie(x.oldest, x.busy, x.age_mean, x.age_max));
}

template <class I>
typename I::result_type inspect(I& f, live_owner& x) {
  return inspect_fields(f, "live_owner", x.life, x.machines, x.running, x.resources, x.granted,
                        x.refused, x.granted_sum, x.refused_all, x.refused_sum);
}

template <class I>
typename I::result_type inspect(I& f, live_owner_number& x) {
  return inspect_fields(f, "live_owner_number", x.next);
}

template <class I>
typename I::result_type inspect(I& f, live_partition& x) {
  return inspect_exactly(f, "live_partition",
                         std::tie(x.owner, x.known, x.last, x.granted_sum, x.refused_sum),
                         std::tie(x.age_mean, x.age_max));
}

template <class I>
typename I::result_type inspect(I& f, live_event& x) {
  return inspect_fields(f, "live_event", x.number, x.at, x.what, x.member, x.detail);
}

template <class I>
typename I::result_type inspect(I& f, live_report& x) {
  return inspect_exactly(f, "live_report",
                         std::tie(x.about, x.now, x.samples, x.over, x.detailed, x.groups,
                                  x.resources, x.machines, x.offers, x.schedulers, x.owners,
                                  x.partitions, x.events, x.events_so_far, x.rows),
                         std::tie(x.utilization));
}

template <class I>
typename I::result_type inspect(I& f, live_request& x) {
  return inspect_fields(f, "live_request", x.run, x.after);
}

#define TROUPE_LIVE_TYPES(X, Link)                                                                 \
  X(Link, group_info);                                                                             \
  X(Link, phase_info);                                                                             \
  X(Link, live_about);                                                                             \
  X(Link, live_member);                                                                            \
  X(Link, scheduler_sums);                                                                         \
  X(Link, delay_figures);                                                                          \
  X(Link, value_band);                                                                             \
  X(Link, group_point);                                                                            \
  X(Link, scheduler_point);                                                                        \
  X(Link, partition_point);                                                                        \
  X(Link, live_row);                                                                               \
  X(Link, live_scheduler);                                                                         \
  X(Link, live_owner);                                                                             \
  X(Link, live_owner_number);                                                                      \
  X(Link, live_partition);                                                                         \
  X(Link, live_event);                                                                             \
  X(Link, live_report);                                                                            \
  X(Link, live_request);

TROUPE_LIVE_TYPES(TROUPE_INSPECTION, extern)

} // namespace troupe
