#pragma once

#include "model/base/choice.hpp"
#include "model/jobs/job.hpp"
#include "model/protocol/protocol.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// The messages with which members of a cluster survive failures, as plain values. Every one of
/// these messages may be lost, late or doubled. They describe a state, are repeated until they are
/// answered, and have no effect when they arrive again.
namespace troupe {

/// The role of a member in the cluster.
enum class role : std::uint8_t { owner, scheduler, node, workload, allocator, machine, master };

template <>
struct choice_names<role> {
  static constexpr std::array<std::string_view, 7> value{
    "owner", "scheduler", "node", "workload", "allocator", "machine", "master"};
};

// -- machines and owners ------------------------------------------------------------------------

/// A task that runs on a machine, with all that its owner needs to know.
struct running_claim {
  task_id task;
  scheduler_id scheduler = no_scheduler;
  resources demand;
  duration runtime{0};
  std::int32_t priority = 0;
  std::uint32_t tenant = 0;
};

/// The end of a task. Its machine keeps it until all members that need it know it.
struct machine_event {
  std::uint64_t number = 0; ///< counts the events of one incarnation of a machine, from 1
  scheduler_id scheduler = no_scheduler;
  task_end end;
};

/// A heartbeat of a machine.
struct machine_heartbeat {
  machine_id machine = 0;
  incarnation_id incarnation = 0;
  incarnation_id owner_incarnation = 0; ///< of the owner that it obeys
  instant sent{0};                      ///< by the machine's clock
  std::uint64_t orders_seen = 0;        ///< of these two incarnations
  bool joins = false;                   ///< it states all that it has
  bool leaves = false;                  ///< it is being drained: no task may be started on it
  std::vector<running_claim> running{};
  std::vector<machine_event> ended{}; ///< events that the owner has not acknowledged
  std::vector<resources> capacity{};  ///< its capacity, unless it is that of the catalog
};

/// An owner's answer to a heartbeat, or the first message of a new owner.
struct lease_reply {
  owner_id owner = 0;
  incarnation_id owner_incarnation = 0;
  machine_id machine = 0;
  incarnation_id incarnation = 0; ///< the machine's, or the least that it must have; 0: any
  instant answers{0};             ///< when the answered message was sent
  bool renews = false;            ///< extends the lease, from that instant
  bool wants_all = false;         ///< the machine has to state all that it has
  std::uint64_t events_heard = 0; ///< need not be repeated by this incarnation
  std::uint64_t events_done = 0;  ///< may be forgotten
};

// -- owners and schedulers ----------------------------------------------------------------------

/// Message numbers between an incarnation of an owner and one of a scheduler start after this: the
/// owner's statement is number 1, its reports follow. Messages of other pairs of incarnations are
/// older or newer. Both incarnations are less than 65,536. An owner that has not yet heard from all
/// its machines sends two statements: the second starts a new session, with `stated_again`.
constexpr std::uint64_t session_base(incarnation_id owner, incarnation_id scheduler) {
  return (std::uint64_t{owner} << 48) | (std::uint64_t{scheduler} << 32);
}

constexpr std::uint64_t stated_again = std::uint64_t{1} << 31;

constexpr std::uint64_t session_of(std::uint64_t number) {
  return number & 0xFFFF'FFFF'8000'0000;
}

constexpr incarnation_id owner_incarnation(std::uint64_t number) {
  return static_cast<incarnation_id>(number >> 48);
}

constexpr incarnation_id scheduler_incarnation(std::uint64_t number) {
  return static_cast<incarnation_id>((number >> 32) & 0xFFFF);
}

struct task_place {
  task_id task;
  machine_id machine = 0;
};

/// All tasks of a scheduler that an owner knows, at the beginning of a session. A task that the
/// scheduler believes to be with this owner and that is not listed is not there, unless it may be
/// on a machine whose state is unknown.
struct owner_statement {
  owner_id owner = 0;
  std::uint64_t session = 0;
  std::vector<task_place> running{};
  std::vector<task_end> ended{}; ///< ends that the scheduler, or its job store, may not know
  /// The capacities of machines that differ from the catalog, if schedulers are notified of
  /// changes.
  std::vector<machine_capacity> capacities{};
  /// Machines that may run tasks of an earlier incarnation of the owner, and have not reported yet.
  std::vector<machine_id> unknown{};
};

// -- schedulers and job stores ------------------------------------------------------------------

/// A job, and which of its tasks are over.
struct kept_job {
  job what;
  std::vector<std::uint32_t> over{};    ///< tasks, by index, rising
  task_fate fate = task_fate::finished; ///< the greatest fate of the tasks that are over
};

/// The number of the job store that keeps a job.
constexpr std::uint32_t store_of(job_id id) {
  return static_cast<std::uint32_t>(id >> 40);
}

/// Counts the tasks of jobs that are not over.
inline std::uint64_t unfinished_tasks(const std::vector<kept_job>& jobs) {
  std::uint64_t n = 0;
  for (const auto& j : jobs)
    n += j.what.task_count() - j.over.size();
  return n;
}

/// Jobs from a job store, for one incarnation of a scheduler.
struct job_delivery {
  std::uint32_t store = 0;        ///< number of the workload
  incarnation_id incarnation = 0; ///< of the scheduler
  std::uint64_t number = 0;       ///< counts from 1
  bool resumed = false;           ///< contains all open jobs of an earlier incarnation
  std::vector<kept_job> jobs{};
  /// Jobs, of this delivery or of earlier ones, none of whose tasks has to be placed any more.
  std::vector<job_id> withdrawn{};
};

/// A scheduler's report to a job store.
struct store_report {
  scheduler_id scheduler = 0;
  incarnation_id incarnation = 0;
  std::uint64_t deliveries_seen = 0;
  std::uint64_t first = 1; ///< number of the first end, counted per store and incarnation
  std::vector<task_id> over{};
  std::vector<task_fate> fates{}; ///< of `over`, in the same order
  /// In the same order, or empty. If one is not 0, its entry is no end: the moldable job of that
  /// task has this width.
  std::vector<std::uint32_t> widths{};
};

/// A job store's acknowledgement.
struct store_seen {
  std::uint32_t store = 0;
  incarnation_id incarnation = 0; ///< of the scheduler
  std::uint64_t number = 0;       ///< all ends up to this number have arrived
};

// -- the recorder --------------------------------------------------------------------------------

/// Identifies an answer to the recorder: the incarnation of the answering member, and its count of
/// answers, from 1.
struct sample_mark {
  incarnation_id incarnation = 0;
  std::uint64_t number = 0;
};

// -- membership ---------------------------------------------------------------------------------

/// The latest incarnation of a member.
struct member_entry {
  role what = role::owner;
  std::uint32_t number = 0;
  incarnation_id incarnation = 0;

  friend bool operator==(const member_entry&, const member_entry&) = default;
};

/// The present members by role and number.
struct membership {
  incarnation_id master = 0; ///< the incarnation of the master that states it
  std::uint64_t version = 0; ///< counts the changes during that incarnation
  std::vector<member_entry> entries{};
};

/// A heartbeat of a member, or of a standby, to the master.
struct member_heartbeat {
  member_entry who; ///< for a standby: its role, and its own number
  bool standby = false;
  instant sent{0};                   ///< by the member's clock
  incarnation_id master = 0;         ///< as in the last membership that it received
  std::uint64_t version = 0;         ///< likewise
  std::vector<member_entry> knows{}; ///< that membership, for a restarted master
};

/// The master's answer.
struct heartbeat_reply {
  incarnation_id master = 0;
  std::uint64_t version = 0;
  instant answers{0};           ///< when the answered message was sent
  bool tell_membership = false; ///< the master requests the member's membership
};

/// The master's message that makes a standby a member.
struct promotion {
  member_entry as;
  duration old_lease{0}; ///< an earlier incarnation may act for this long
  membership now{};
};

} // namespace troupe
