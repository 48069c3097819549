#pragma once

#include "actors/protocol/inspect_failures.hpp"
#include "actors/protocol/inspect_protocol.hpp"
#include "actors/protocol/inspect_queues.hpp"
#include "actors/protocol/inspect_records.hpp"
#include "actors/protocol/inspect_samples.hpp"
#include "model/jobs/job.hpp"
#include "model/protocol/failure_protocol.hpp"
#include "model/protocol/offers.hpp"
#include "model/protocol/protocol.hpp"
#include "model/protocol/sparrow_protocol.hpp"
#include "policies/policy_choice.hpp"

#include <caf/actor_control_block.hpp>
#include <caf/atom.hpp>
#include <caf/type_id.hpp>

#include <array>
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

/// The handles by which an actor reaches others, by their numbers; empty for kinds that it does not
/// need.
/// The handles are of the kinds in handles.hpp.
struct peers {
  std::vector<caf::strong_actor_ptr> owners;
  std::vector<caf::strong_actor_ptr> schedulers;
  std::vector<caf::strong_actor_ptr> allocators; ///< one at most
  std::vector<caf::strong_actor_ptr> machines{}; ///< by number; for churn without owners
};

/// One member of the cluster.
struct member {
  role what = role::owner;
  std::uint32_t number = 0; ///< within its role
};

/// The recorder's question to members that may fail: their counts since the last answer that it
/// has received.
struct sample_request {
  sample_mark heard;
  bool last = false;    ///< all books are to be checked
  bool details = false; ///< the details of members are wanted, too
};

/// The answer of a scheduler to the recorder.
struct scheduler_status {
  scheduler_id scheduler = 0;
  bool idle = false;                 ///< every task submitted is over
  std::vector<group_sample> samples; ///< one for each group that it has heard of
  task_places places{};              ///< of its tasks
  sample_mark mark{};                ///< set in runs with failures
  record_batch records{};            ///< of its jobs and tasks, if they are recorded
  scheduler_details details{};       ///< empty unless they were asked for
};

/// The answer of an owner to the recorder.
struct owner_status {
  owner_id owner = 0;
  owner_sample sample;
  sample_mark mark{};                          ///< set in runs with failures
  std::vector<partition_details> partitions{}; ///< empty unless they were asked for
};

/// The answer of a workload to the recorder.
struct workload_status {
  std::uint64_t jobs = 0;  ///< submitted since the start
  std::uint64_t tasks = 0; ///< submitted since the start
  bool ended = false;      ///< nothing more will come
  std::map<std::string, std::uint64_t> skipped_rows;
  std::string error{};     ///< why the stream ended before its time; empty if it did not
  bool keeps_jobs = false; ///< until they are over, which the rest tells of
  std::uint64_t open_jobs = 0;
  std::uint64_t tasks_over = 0;                          ///< since the start
  std::vector<handed_tasks> handed{};                    ///< one for each scheduler
  std::array<std::uint64_t, task_fates> tasks_by_fate{}; ///< since the start
  std::array<std::uint64_t, task_fates> jobs_by_fate{};  ///< likewise, of jobs
  scheduler_id first_scheduler = 0;
  std::vector<kept_ages> ages{}; ///< by scheduler, from that one on
  duration moved{0};             ///< how much earlier jobs are submitted than their trace says
};

template <class I>
typename I::result_type inspect(I& f, submission& x) {
  return inspect_fields(f, "submission", x.jobs);
}

template <class I>
typename I::result_type inspect(I& f, sync_round& x) {
  return inspect_fields(f, "sync_round", x.number);
}

template <class I>
typename I::result_type inspect(I& f, task_ends& x) {
  return inspect_fields(f, "task_ends", x.ends);
}

template <class I>
typename I::result_type inspect(I& f, report_seen& x) {
  return inspect_fields(f, "report_seen", x.scheduler, x.number);
}

template <class I>
typename I::result_type inspect(I& f, peers& x) {
  return inspect_fields(f, "peers", x.owners, x.schedulers, x.allocators, x.machines);
}

template <class I>
typename I::result_type inspect(I& f, member& x) {
  return inspect_fields(f, "member", x.what, x.number);
}

template <class I>
typename I::result_type inspect(I& f, scheduler_status& x) {
  return inspect_fields(f, "scheduler_status", x.scheduler, x.idle, x.samples, x.places, x.mark,
                        x.records, x.details);
}

template <class I>
typename I::result_type inspect(I& f, owner_status& x) {
  return inspect_fields(f, "owner_status", x.owner, x.sample, x.mark, x.partitions);
}

template <class I>
typename I::result_type inspect(I& f, workload_status& x) {
  return inspect_fields(f, "workload_status", x.jobs, x.tasks, x.ended, x.skipped_rows, x.error,
                        x.keeps_jobs, x.open_jobs, x.tasks_over, x.handed, x.tasks_by_fate,
                        x.jobs_by_fate, x.first_scheduler, x.ages, x.moved);
}

template <class I>
typename I::result_type inspect(I& f, sample_request& x) {
  return inspect_fields(f, "sample_request", x.heard, x.last, x.details);
}

template <class I>
typename I::result_type inspect(I& f, policy_choice& x) {
  return inspect_fields(f, "policy_choice", x.policy, x.settings);
}

#define TROUPE_MESSAGE_TYPES(X, Link)                                                              \
  X(Link, submission);                                                                             \
  X(Link, sync_round);                                                                             \
  X(Link, task_ends);                                                                              \
  X(Link, report_seen);                                                                            \
  X(Link, peers);                                                                                  \
  X(Link, member);                                                                                 \
  X(Link, scheduler_status);                                                                       \
  X(Link, owner_status);                                                                           \
  X(Link, workload_status);                                                                        \
  X(Link, sample_request);                                                                         \
  X(Link, policy_choice);

TROUPE_MESSAGE_TYPES(TROUPE_INSPECTION, extern)

} // namespace troupe

// Atoms hold at most ten characters.
CAF_BEGIN_TYPE_ID_BLOCK(troupe, caf::first_custom_type_id)

CAF_ADD_TYPE_ID(troupe, (troupe::allocator_status))
CAF_ADD_TYPE_ID(troupe, (troupe::heartbeat_reply))
CAF_ADD_TYPE_ID(troupe, (troupe::capacity_call))
CAF_ADD_TYPE_ID(troupe, (troupe::capacity_update))
CAF_ADD_TYPE_ID(troupe, (troupe::capacity_heard))
CAF_ADD_TYPE_ID(troupe, (troupe::capacity_notice))
CAF_ADD_TYPE_ID(troupe, (troupe::capacity_report))
CAF_ADD_TYPE_ID(troupe, (troupe::capacity_seen))
CAF_ADD_TYPE_ID(troupe, (troupe::capacity_statement))
CAF_ADD_TYPE_ID(troupe, (troupe::cancellation))
CAF_ADD_TYPE_ID(troupe, (troupe::commit_reply))
CAF_ADD_TYPE_ID(troupe, (troupe::commit_request))
CAF_ADD_TYPE_ID(troupe, (troupe::job_delivery))
CAF_ADD_TYPE_ID(troupe, (troupe::machine_capacity))
CAF_ADD_TYPE_ID(troupe, (troupe::machine_heartbeat))
CAF_ADD_TYPE_ID(troupe, (troupe::machine_order))
CAF_ADD_TYPE_ID(troupe, (troupe::member))
CAF_ADD_TYPE_ID(troupe, (troupe::member_heartbeat))
CAF_ADD_TYPE_ID(troupe, (troupe::node_status))
CAF_ADD_TYPE_ID(troupe, (troupe::offer_answer))
CAF_ADD_TYPE_ID(troupe, (troupe::offer_recall))
CAF_ADD_TYPE_ID(troupe, (troupe::owner_statement))
CAF_ADD_TYPE_ID(troupe, (troupe::owner_status))
CAF_ADD_TYPE_ID(troupe, (troupe::lease_reply))
CAF_ADD_TYPE_ID(troupe, (troupe::peers))
CAF_ADD_TYPE_ID(troupe, (troupe::policy_choice))
CAF_ADD_TYPE_ID(troupe, (troupe::probe_answer))
CAF_ADD_TYPE_ID(troupe, (troupe::promotion))
CAF_ADD_TYPE_ID(troupe, (troupe::queue_report))
CAF_ADD_TYPE_ID(troupe, (troupe::queue_entry))
CAF_ADD_TYPE_ID(troupe, (troupe::queue_probe))
CAF_ADD_TYPE_ID(troupe, (troupe::queue_orders))
CAF_ADD_TYPE_ID(troupe, (troupe::report_seen))
CAF_ADD_TYPE_ID(troupe, (troupe::resource_offer))
CAF_ADD_TYPE_ID(troupe, (troupe::membership))
CAF_ADD_TYPE_ID(troupe, (troupe::sample_request))
CAF_ADD_TYPE_ID(troupe, (troupe::scheduler_status))
CAF_ADD_TYPE_ID(troupe, (troupe::store_report))
CAF_ADD_TYPE_ID(troupe, (troupe::store_seen))
CAF_ADD_TYPE_ID(troupe, (troupe::stolen_entries))
CAF_ADD_TYPE_ID(troupe, (troupe::submission))
CAF_ADD_TYPE_ID(troupe, (troupe::sync_round))
CAF_ADD_TYPE_ID(troupe, (troupe::sync_update))
CAF_ADD_TYPE_ID(troupe, (troupe::task_assignment))
CAF_ADD_TYPE_ID(troupe, (troupe::task_end))
CAF_ADD_TYPE_ID(troupe, (troupe::task_ends))
CAF_ADD_TYPE_ID(troupe, (troupe::task_id))
CAF_ADD_TYPE_ID(troupe, (troupe::task_news))
CAF_ADD_TYPE_ID(troupe, (troupe::task_report))
CAF_ADD_TYPE_ID(troupe, (troupe::task_requests))
CAF_ADD_TYPE_ID(troupe, (troupe::get_task_request))
CAF_ADD_TYPE_ID(troupe, (troupe::workload_status))
CAF_ADD_TYPE_ID(troupe, (troupe::process_lease))
CAF_ADD_TYPE_ID(troupe, (troupe::process_heartbeat))

CAF_ADD_ATOM(troupe, troupe, heartbeat_atom, "heartbeat")
CAF_ADD_ATOM(troupe, troupe, decided_atom, "decided")
CAF_ADD_ATOM(troupe, troupe, due_atom, "due")
CAF_ADD_ATOM(troupe, troupe, ended_atom, "ended")
CAF_ADD_ATOM(troupe, troupe, flush_atom, "flush")
CAF_ADD_ATOM(troupe, troupe, gone_atom, "gone")
CAF_ADD_ATOM(troupe, troupe, join_atom, "join")
CAF_ADD_ATOM(troupe, troupe, leave_atom, "leave")
CAF_ADD_ATOM(troupe, troupe, report_atom, "report")
CAF_ADD_ATOM(troupe, troupe, resend_atom, "resend")
CAF_ADD_ATOM(troupe, troupe, round_atom, "round")
CAF_ADD_ATOM(troupe, troupe, sample_atom, "sample")
CAF_ADD_ATOM(troupe, troupe, start_atom, "start")
CAF_ADD_ATOM(troupe, troupe, status_atom, "status")
CAF_ADD_ATOM(troupe, troupe, steal_atom, "steal")
CAF_ADD_ATOM(troupe, troupe, wake_atom, "wake")

CAF_END_TYPE_ID_BLOCK(troupe)
