#pragma once

#include "actors/protocol/inspect.hpp"
#include "model/jobs/job.hpp"
#include "model/protocol/offers.hpp"
#include "model/protocol/protocol.hpp"
#include "model/protocol/sparrow_protocol.hpp"

/// How the model's types that messages are made of are written to the wire.
namespace troupe {

template <class I>
typename I::result_type inspect(I& f, resources& x) {
  return inspect_fields(f, "resources", x.amount);
}

template <class I>
typename I::result_type inspect(I& f, task_id& x) {
  return inspect_fields(f, "task_id", x.job, x.index);
}

template <class I>
typename I::result_type inspect(I& f, constraint& x) {
  return inspect_fields(f, "constraint", x.attribute, x.op, x.values);
}

template <class I>
typename I::result_type inspect(I& f, task_group& x) {
  return inspect_fields(f, "task_group", x.count, x.demand, x.durations, x.constraints,
                        x.task_class, x.after);
}

template <class I>
typename I::result_type inspect(I& f, speedup_model& x) {
  return inspect_exactly(f, "speedup_model", std::tie(x.kind),
                         std::tie(x.serial_fraction, x.parallelism, x.sigma));
}

template <class I>
typename I::result_type inspect(I& f, moldability& x) {
  return inspect_fields(f, "moldability", x.requested, x.least, x.most, x.runtime, x.estimate,
                        x.speedup, x.settled);
}

template <class I>
typename I::result_type inspect(I& f, job& x) {
  return inspect_fields(f, "job", x.id, x.submitted, x.estimate, x.groups, x.group, x.tenant,
                        x.priority, x.gang, x.spread, x.at_once, x.mold);
}

template <class I>
typename I::result_type inspect(I& f, placement& x) {
  return inspect_fields(f, "placement", x.task, x.machine, x.seen_version, x.demand, x.runtime,
                        x.priority, x.tenant, x.preempts, x.estimate);
}

template <class I>
typename I::result_type inspect(I& f, alternative& x) {
  return inspect_fields(f, "alternative", x.index, x.machine, x.seen_version);
}

template <class I>
typename I::result_type inspect(I& f, commit_request& x) {
  return inspect_fields(f, "commit_request", x.scheduler, x.id, x.answered_below, x.reports_seen,
                        x.placements, x.mode, x.settles, x.alternatives, x.offers);
}

template <class I>
typename I::result_type inspect(I& f, rejection& x) {
  return inspect_fields(f, "rejection", x.index, x.cause, x.winner, x.version, x.free,
                        x.partition_version);
}

template <class I>
typename I::result_type inspect(I& f, diversion& x) {
  return inspect_fields(f, "diversion", x.index, x.machine);
}

template <class I>
typename I::result_type inspect(I& f, machine_news& x) {
  return inspect_fields(f, "machine_news", x.machine, x.version, x.free);
}

template <class I>
typename I::result_type inspect(I& f, commit_reply& x) {
  return inspect_fields(f, "commit_reply", x.owner, x.id, x.rejections, x.diversions, x.machines);
}

template <class I>
typename I::result_type inspect(I& f, held_band& x) {
  return inspect_fields(f, "held_band", x.priority, x.cells);
}

/// Cells travel as plain numbers.
template <class I>
typename I::result_type inspect(I& f, cell_array& x) {
  auto values = x.values();
  if constexpr (I::writes_state) {
    const auto e = f(values);
    x = values;
    return e;
  } else {
    return f(values);
  }
}

template <class I>
typename I::result_type inspect(I& f, partition_snapshot& x) {
  return inspect_fields(f, "partition_snapshot", x.partition, x.taken_at, x.free, x.versions,
                        x.held, x.version);
}

template <class I>
typename I::result_type inspect(I& f, sync_update& x) {
  return inspect_fields(f, "sync_update", x.owner, x.round, x.commits_seen, x.partitions, x.used);
}

template <class I>
typename I::result_type inspect(I& f, task_end& x) {
  return inspect_fields(f, "task_end", x.task, x.machine, x.outcome, x.at, x.grant);
}

template <class I>
typename I::result_type inspect(I& f, preempted_task& x) {
  return inspect_fields(f, "preempted_task", x.task, x.machine, x.at, x.ran);
}

template <class I>
typename I::result_type inspect(I& f, machine_change& x) {
  return inspect_fields(f, "machine_change", x.machine, x.present, x.gain);
}

template <class I>
typename I::result_type inspect(I& f, machine_capacity& x) {
  return inspect_fields(f, "machine_capacity", x.machine, x.capacity);
}

template <class I>
typename I::result_type inspect(I& f, task_report& x) {
  return inspect_fields(f, "task_report", x.owner, x.number, x.ends, x.changes, x.preempted);
}

template <class I>
typename I::result_type inspect(I& f, launch_order& x) {
  return inspect_fields(f, "launch_order", x.task, x.launcher, x.demand, x.runtime, x.grant,
                        x.by_scheduler, x.estimate);
}

template <class I>
typename I::result_type inspect(I& f, machine_order& x) {
  return inspect_fields(f, "machine_order", x.what, x.scheduler, x.priority, x.tenant, x.kill,
                        x.owner_incarnation, x.incarnation, x.number);
}

template <class I>
typename I::result_type inspect(I& f, queue_entry& x) {
  return inspect_fields(f, "queue_entry", x.kind, x.order, x.group, x.tenant, x.priority,
                        x.placed_on, x.length_met);
}

template <class I>
typename I::result_type inspect(I& f, queue_probe& x) {
  return inspect_fields(f, "queue_probe", x.scheduler, x.round, x.index, x.demand);
}

template <class I>
typename I::result_type inspect(I& f, probe_answer& x) {
  return inspect_fields(f, "probe_answer", x.round, x.index, x.length);
}

template <class I>
typename I::result_type inspect(I& f, get_task_request& x) {
  return inspect_fields(f, "get_task_request", x.job, x.group, x.machine, x.placed_on,
                        x.length_met);
}

template <class I>
typename I::result_type inspect(I& f, task_requests& x) {
  return inspect_fields(f, "task_requests", x.all);
}

template <class I>
typename I::result_type inspect(I& f, task_assignment& x) {
  return inspect_fields(f, "task_assignment", x.none, x.group, x.order, x.cancels);
}

template <class I>
typename I::result_type inspect(I& f, cancellation& x) {
  return inspect_fields(f, "cancellation", x.scheduler, x.job);
}

template <class I>
typename I::result_type inspect(I& f, capacity_notice& x) {
  return inspect_fields(f, "capacity_notice", x.machine, x.capacity, x.number);
}

template <class I>
typename I::result_type inspect(I& f, capacity_heard& x) {
  return inspect_fields(f, "capacity_heard", x.scheduler, x.number);
}

template <class I>
typename I::result_type inspect(I& f, killed_run& x) {
  return inspect_fields(f, "killed_run", x.run, x.scheduler, x.end);
}

template <class I>
typename I::result_type inspect(I& f, capacity_update& x) {
  return inspect_fields(f, "capacity_update", x.what, x.killed);
}

template <class I>
typename I::result_type inspect(I& f, stolen_entries& x) {
  return inspect_fields(f, "stolen_entries", x.from, x.entries);
}

template <class I>
typename I::result_type inspect(I& f, task_start& x) {
  return inspect_fields(f, "task_start", x.task, x.machine, x.at);
}

template <class I>
typename I::result_type inspect(I& f, task_news& x) {
  return inspect_fields(f, "task_news", x.started, x.ended);
}

template <class I>
typename I::result_type inspect(I& f, machine_amount& x) {
  return inspect_fields(f, "machine_amount", x.machine, x.amount);
}

template <class I>
typename I::result_type inspect(I& f, resource_offer& x) {
  return inspect_fields(f, "resource_offer", x.id, x.settled_below, x.machines);
}

template <class I>
typename I::result_type inspect(I& f, offer_recall& x) {
  return inspect_fields(f, "offer_recall", x.id, x.settled_below, x.rescind);
}

template <class I>
typename I::result_type inspect(I& f, offer_answer& x) {
  return inspect_fields(f, "offer_answer", x.framework, x.first, x.last, x.used, x.returned,
                        x.wants.amount, x.suppresses, x.gangs);
}

template <class I>
typename I::result_type inspect(I& f, freed_amount& x) {
  return inspect_fields(f, "freed_amount", x.machine, x.framework, x.amount);
}

template <class I>
typename I::result_type inspect(I& f, capacity_report& x) {
  return inspect_fields(f, "capacity_report", x.owner, x.number, x.freed, x.changes);
}

template <class I>
typename I::result_type inspect(I& f, capacity_seen& x) {
  return inspect_fields(f, "capacity_seen", x.number);
}

template <class I>
typename I::result_type inspect(I& f, capacity_call& x) {
  return inspect_fields(f, "capacity_call", x.incarnation);
}

template <class I>
typename I::result_type inspect(I& f, capacity_statement& x) {
  return inspect_fields(f, "capacity_statement", x.owner, x.number, x.free, x.running);
}

#define TROUPE_PROTOCOL_TYPES(X, Link)                                                             \
  X(Link, resources);                                                                              \
  X(Link, task_id);                                                                                \
  X(Link, constraint);                                                                             \
  X(Link, speedup_model);                                                                          \
  X(Link, moldability);                                                                            \
  X(Link, task_group);                                                                             \
  X(Link, job);                                                                                    \
  X(Link, placement);                                                                              \
  X(Link, alternative);                                                                            \
  X(Link, commit_request);                                                                         \
  X(Link, rejection);                                                                              \
  X(Link, diversion);                                                                              \
  X(Link, machine_news);                                                                           \
  X(Link, commit_reply);                                                                           \
  X(Link, held_band);                                                                              \
  X(Link, cell_array);                                                                             \
  X(Link, partition_snapshot);                                                                     \
  X(Link, sync_update);                                                                            \
  X(Link, task_end);                                                                               \
  X(Link, preempted_task);                                                                         \
  X(Link, machine_change);                                                                         \
  X(Link, machine_capacity);                                                                       \
  X(Link, task_report);                                                                            \
  X(Link, launch_order);                                                                           \
  X(Link, machine_order);                                                                          \
  X(Link, queue_entry);                                                                            \
  X(Link, queue_probe);                                                                            \
  X(Link, probe_answer);                                                                           \
  X(Link, get_task_request);                                                                       \
  X(Link, task_requests);                                                                          \
  X(Link, task_assignment);                                                                        \
  X(Link, cancellation);                                                                           \
  X(Link, capacity_notice);                                                                        \
  X(Link, capacity_heard);                                                                         \
  X(Link, killed_run);                                                                             \
  X(Link, capacity_update);                                                                        \
  X(Link, stolen_entries);                                                                         \
  X(Link, task_start);                                                                             \
  X(Link, task_news);                                                                              \
  X(Link, machine_amount);                                                                         \
  X(Link, resource_offer);                                                                         \
  X(Link, offer_recall);                                                                           \
  X(Link, offer_answer);                                                                           \
  X(Link, freed_amount);                                                                           \
  X(Link, capacity_report);                                                                        \
  X(Link, capacity_seen);                                                                          \
  X(Link, capacity_call);                                                                          \
  X(Link, capacity_statement);

TROUPE_PROTOCOL_TYPES(TROUPE_INSPECTION, extern)

} // namespace troupe
