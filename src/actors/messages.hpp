#pragma once

#include "actors/inspect.hpp"
#include "model/job.hpp"
#include "model/offers.hpp"
#include "model/protocol.hpp"
#include "model/sparrow_protocol.hpp"

#include <caf/actor_control_block.hpp>
#include <caf/atom.hpp>
#include <caf/type_id.hpp>

#include <map>
#include <string>
#include <vector>

/// Every message type of the protocol, how it is written to the wire, and its id.
namespace troupe {

/// Jobs that a client hands to a scheduler.
struct submission {
  std::vector<job> jobs;
};

/// The beginning of a sync round, from 1.
struct sync_round {
  std::uint64_t number = 0;
};

/// Task ends that a node reports to an owner.
struct task_ends {
  std::vector<task_end> ends;
};

/// A scheduler's word that it has seen the reports up to a number.
struct report_seen {
  scheduler_id scheduler = 0;
  std::uint64_t number = 0;
};

/// What an actor needs to reach the others, by their numbers; empty where it needs none of a kind.
/// The handles are of the kinds in handles.hpp.
struct peers {
  std::vector<caf::strong_actor_ptr> owners;
  std::vector<caf::strong_actor_ptr> schedulers;
  std::vector<caf::strong_actor_ptr> allocators; ///< one at most
};

/// What a member is to the cluster.
enum class role : std::uint8_t { owner, scheduler, node, workload, allocator };

inline std::string to_string(role what) {
  constexpr const char* names[] = {"owner", "scheduler", "node", "workload", "allocator"};
  return names[static_cast<std::size_t>(what)];
}

/// One member of the cluster.
struct member {
  role what = role::owner;
  std::uint32_t number = 0; ///< within its role
};

/// Who owns what: the owner of each partition.
struct partition_map {
  std::uint64_t version = 0; ///< grows with every change
  std::vector<owner_id> owner_of;
};

/// What the master knows of the cluster.
struct cluster_status {
  std::vector<member> members; ///< in the order of joining
  std::uint64_t rounds = 0;    ///< sync rounds started
  std::uint64_t map_version = 0;
};

/// What a scheduler tells the recorder.
struct scheduler_status {
  scheduler_id scheduler = 0;
  bool idle = false;                 ///< every task submitted is over
  std::vector<group_sample> samples; ///< one for each group that it has heard of
};

/// What an owner tells the recorder.
struct owner_status {
  owner_id owner = 0;
  owner_sample sample;
};

/// What a workload tells the recorder.
struct workload_status {
  std::uint64_t jobs = 0;  ///< submitted since the start
  std::uint64_t tasks = 0; ///< submitted since the start
  bool ended = false;      ///< nothing more will come
  std::map<std::string, std::uint64_t> skipped_rows;
  std::string error; ///< why the stream ended before its time; empty if it did not
};

/// What runs on a machine.
struct machine_status {
  machine_id machine = 0;
  std::vector<task_id> running;
};

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
                        x.task_class);
}

template <class I>
typename I::result_type inspect(I& f, job& x) {
  return inspect_fields(f, "job", x.id, x.submitted, x.estimate, x.groups, x.group, x.tenant,
                        x.priority, x.gang, x.spread);
}

template <class I>
typename I::result_type inspect(I& f, submission& x) {
  return inspect_fields(f, "submission", x.jobs);
}

template <class I>
typename I::result_type inspect(I& f, placement& x) {
  return inspect_fields(f, "placement", x.task, x.machine, x.seen_version, x.demand, x.runtime,
                        x.priority, x.tenant, x.preempts);
}

template <class I>
typename I::result_type inspect(I& f, alternative& x) {
  return inspect_fields(f, "alternative", x.index, x.machine, x.seen_version);
}

template <class I>
typename I::result_type inspect(I& f, commit_request& x) {
  return inspect_fields(f, "commit_request", x.scheduler, x.id, x.answered_below, x.reports_seen,
                        x.placements, x.mode, x.settles, x.alternatives);
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
typename I::result_type inspect(I& f, sync_round& x) {
  return inspect_fields(f, "sync_round", x.number);
}

template <class I>
typename I::result_type inspect(I& f, held_band& x) {
  return inspect_fields(f, "held_band", x.priority, x.cells);
}

template <class I>
typename I::result_type inspect(I& f, partition_snapshot& x) {
  return inspect_fields(f, "partition_snapshot", x.partition, x.taken_at, x.free, x.versions,
                        x.held, x.version);
}

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
typename I::result_type inspect(I& f, sync_update& x) {
  return inspect_fields(f, "sync_update", x.owner, x.round, x.commits_seen, x.partitions, x.used);
}

template <class I>
typename I::result_type inspect(I& f, task_end& x) {
  return inspect_fields(f, "task_end", x.task, x.machine, x.outcome, x.at, x.grant);
}

template <class I>
typename I::result_type inspect(I& f, task_ends& x) {
  return inspect_fields(f, "task_ends", x.ends);
}

template <class I>
typename I::result_type inspect(I& f, preempted_task& x) {
  return inspect_fields(f, "preempted_task", x.task, x.machine, x.at, x.ran);
}

template <class I>
typename I::result_type inspect(I& f, machine_change& x) {
  return inspect_fields(f, "machine_change", x.machine, x.present);
}

template <class I>
typename I::result_type inspect(I& f, task_report& x) {
  return inspect_fields(f, "task_report", x.owner, x.number, x.ends, x.changes, x.preempted);
}

template <class I>
typename I::result_type inspect(I& f, report_seen& x) {
  return inspect_fields(f, "report_seen", x.scheduler, x.number);
}

template <class I>
typename I::result_type inspect(I& f, launch_order& x) {
  return inspect_fields(f, "launch_order", x.task, x.owner, x.demand, x.runtime, x.grant,
                        x.by_scheduler);
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
typename I::result_type inspect(I& f, task_assignment& x) {
  return inspect_fields(f, "task_assignment", x.none, x.group, x.order);
}

template <class I>
typename I::result_type inspect(I& f, cancellation& x) {
  return inspect_fields(f, "cancellation", x.scheduler, x.job);
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
  return inspect_fields(f, "offer_answer", x.framework, x.first, x.last, x.used, x.returned);
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
typename I::result_type inspect(I& f, offer_sample& x) {
  return inspect_exactly(
    f, "offer_sample", std::tie(x.made, x.accepted, x.declined, x.timed_out, x.rescinded),
    std::tie(x.seconds, x.locked_seconds, x.locked_max, x.share_seconds, x.share_max));
}

template <class I>
typename I::result_type inspect(I& f, allocator_status& x) {
  return inspect_fields(f, "allocator_status", x.all, x.groups);
}

template <class I>
typename I::result_type inspect(I& f, peers& x) {
  return inspect_fields(f, "peers", x.owners, x.schedulers, x.allocators);
}

template <class I>
typename I::result_type inspect(I& f, member& x) {
  return inspect_fields(f, "member", x.what, x.number);
}

template <class I>
typename I::result_type inspect(I& f, partition_map& x) {
  return inspect_fields(f, "partition_map", x.version, x.owner_of);
}

template <class I>
typename I::result_type inspect(I& f, cluster_status& x) {
  return inspect_fields(f, "cluster_status", x.members, x.rounds, x.map_version);
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
                        x.refused_age, x.gangs_placed, x.gangs_broken, x.jobs_abandoned);
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
  return inspect_fields(f, "scheduler_sample", x.tasks, x.jobs_submitted, x.jobs_finished,
                        x.conflicts, x.conflicts_by_cause, x.commits, x.retransmits, x.busy,
                        x.delay, x.job_response, x.quality, x.placement_age, x.age,
                        x.oldest_partition, x.snapshots, x.duplicate_grants,
                        x.constraint_violations, x.preempted, x.attempts, x.sparrow);
}

template <class I>
typename I::result_type inspect(I& f, group_sample& x) {
  return inspect_fields(f, "group_sample", x.group, x.sample);
}

template <class I>
typename I::result_type inspect(I& f, scheduler_status& x) {
  return inspect_fields(f, "scheduler_status", x.scheduler, x.idle, x.samples);
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
typename I::result_type inspect(I& f, owner_status& x) {
  return inspect_fields(f, "owner_status", x.owner, x.sample);
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
typename I::result_type inspect(I& f, workload_status& x) {
  return inspect_fields(f, "workload_status", x.jobs, x.tasks, x.ended, x.skipped_rows, x.error);
}

template <class I>
typename I::result_type inspect(I& f, machine_status& x) {
  return inspect_fields(f, "machine_status", x.machine, x.running);
}

} // namespace troupe

// Atoms hold at most ten characters.
CAF_BEGIN_TYPE_ID_BLOCK(troupe, caf::first_custom_type_id)

CAF_ADD_TYPE_ID(troupe, (troupe::allocator_status))
CAF_ADD_TYPE_ID(troupe, (troupe::capacity_report))
CAF_ADD_TYPE_ID(troupe, (troupe::capacity_seen))
CAF_ADD_TYPE_ID(troupe, (troupe::cancellation))
CAF_ADD_TYPE_ID(troupe, (troupe::cluster_status))
CAF_ADD_TYPE_ID(troupe, (troupe::commit_reply))
CAF_ADD_TYPE_ID(troupe, (troupe::commit_request))
CAF_ADD_TYPE_ID(troupe, (troupe::launch_order))
CAF_ADD_TYPE_ID(troupe, (troupe::machine_status))
CAF_ADD_TYPE_ID(troupe, (troupe::member))
CAF_ADD_TYPE_ID(troupe, (troupe::node_status))
CAF_ADD_TYPE_ID(troupe, (troupe::offer_answer))
CAF_ADD_TYPE_ID(troupe, (troupe::offer_recall))
CAF_ADD_TYPE_ID(troupe, (troupe::owner_status))
CAF_ADD_TYPE_ID(troupe, (troupe::partition_map))
CAF_ADD_TYPE_ID(troupe, (troupe::peers))
CAF_ADD_TYPE_ID(troupe, (troupe::probe_answer))
CAF_ADD_TYPE_ID(troupe, (troupe::queue_entry))
CAF_ADD_TYPE_ID(troupe, (troupe::queue_probe))
CAF_ADD_TYPE_ID(troupe, (troupe::report_seen))
CAF_ADD_TYPE_ID(troupe, (troupe::resource_offer))
CAF_ADD_TYPE_ID(troupe, (troupe::scheduler_status))
CAF_ADD_TYPE_ID(troupe, (troupe::stolen_entries))
CAF_ADD_TYPE_ID(troupe, (troupe::submission))
CAF_ADD_TYPE_ID(troupe, (troupe::sync_round))
CAF_ADD_TYPE_ID(troupe, (troupe::sync_update))
CAF_ADD_TYPE_ID(troupe, (troupe::task_assignment))
CAF_ADD_TYPE_ID(troupe, (troupe::task_ends))
CAF_ADD_TYPE_ID(troupe, (troupe::task_id))
CAF_ADD_TYPE_ID(troupe, (troupe::task_news))
CAF_ADD_TYPE_ID(troupe, (troupe::task_report))
CAF_ADD_TYPE_ID(troupe, (troupe::get_task_request))
CAF_ADD_TYPE_ID(troupe, (troupe::workload_status))

CAF_ADD_ATOM(troupe, troupe, decided_atom, "decided")
CAF_ADD_ATOM(troupe, troupe, due_atom, "due")
CAF_ADD_ATOM(troupe, troupe, ended_atom, "ended")
CAF_ADD_ATOM(troupe, troupe, flush_atom, "flush")
CAF_ADD_ATOM(troupe, troupe, gone_atom, "gone")
CAF_ADD_ATOM(troupe, troupe, join_atom, "join")
CAF_ADD_ATOM(troupe, troupe, kill_atom, "kill")
CAF_ADD_ATOM(troupe, troupe, map_atom, "map")
CAF_ADD_ATOM(troupe, troupe, report_atom, "report")
CAF_ADD_ATOM(troupe, troupe, resend_atom, "resend")
CAF_ADD_ATOM(troupe, troupe, round_atom, "round")
CAF_ADD_ATOM(troupe, troupe, sample_atom, "sample")
CAF_ADD_ATOM(troupe, troupe, start_atom, "start")
CAF_ADD_ATOM(troupe, troupe, status_atom, "status")
CAF_ADD_ATOM(troupe, troupe, steal_atom, "steal")
CAF_ADD_ATOM(troupe, troupe, wake_atom, "wake")

CAF_END_TYPE_ID_BLOCK(troupe)
