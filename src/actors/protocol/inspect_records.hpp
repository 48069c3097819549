#pragma once

#include "actors/protocol/inspect_protocol.hpp"
#include "actors/protocol/inspect_samples.hpp"
#include "model/records/records.hpp"

/// How the records of jobs and tasks are serialized.
namespace troupe {

template <class I>
typename I::result_type inspect(I& f, task_times& x) {
  return inspect_fields(f, "task_times", x.submitted, x.eligible, x.began, x.decided, x.granted,
                        x.started, x.ended);
}

template <class I>
typename I::result_type inspect(I& f, task_tallies& x) {
  return inspect_fields(f, "task_tallies", x.attempts, x.conflicts, x.runs, x.preempted, x.lost,
                        x.work_lost, x.refused, x.backed_off, x.last_conflict);
}

template <class I>
typename I::result_type inspect(I& f, task_record& x) {
  return inspect_exactly(f, "task_record",
                         std::tie(x.task, x.task_group, x.group, x.scheduler, x.state, x.demand,
                                  x.at, x.tallies, x.machine, x.partition, x.owner, x.view_age,
                                  x.diverted, x.reason),
                         std::tie(x.quality));
}

template <class I>
typename I::result_type inspect(I& f, job_times& x) {
  return inspect_fields(f, "job_times", x.submitted, x.began, x.decided, x.first_placed,
                        x.last_placed, x.ended);
}

template <class I>
typename I::result_type inspect(I& f, placement_sums& x) {
  return inspect_exactly(f, "placement_sums",
                         std::tie(x.count, x.delay, x.longest_delay, x.aged, x.view_age),
                         std::tie(x.quality));
}

template <class I>
typename I::result_type inspect(I& f, job_record& x) {
  return inspect_fields(f, "job_record", x.job, x.group, x.tenant, x.task_class, x.scheduler,
                        x.priority, x.gang, x.tasks, x.demand, x.state, x.over, x.at, x.ideal,
                        x.attempts, x.placed, x.conflicts, x.preempted, x.lost, x.work_lost, x.used,
                        x.reason, x.estimate, x.requested);
}

template <class I>
typename I::result_type inspect(I& f, attempt_record& x) {
  return inspect_fields(f, "attempt_record", x.at, x.task, x.attempt, x.scheduler, x.owner,
                        x.partition, x.machine, x.cause, x.winner, x.view_age, x.free, x.asked,
                        x.reason, x.retry_at);
}

template <class I>
typename I::result_type inspect(I& f, record_batch& x) {
  return inspect_fields(f, "record_batch", x.jobs, x.tasks, x.attempts, x.more);
}

#define TROUPE_RECORD_TYPES(X, Link)                                                               \
  X(Link, task_times);                                                                             \
  X(Link, task_tallies);                                                                           \
  X(Link, task_record);                                                                            \
  X(Link, job_times);                                                                              \
  X(Link, placement_sums);                                                                         \
  X(Link, job_record);                                                                             \
  X(Link, attempt_record);                                                                         \
  X(Link, record_batch);

TROUPE_RECORD_TYPES(TROUPE_INSPECTION, extern)

} // namespace troupe
