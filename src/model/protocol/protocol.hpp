#pragma once

#include "model/base/cell_array.hpp"
#include "model/base/counted_units.hpp"
#include "model/base/ids.hpp"
#include "model/base/resource_sum.hpp"
#include "model/base/resources.hpp"
#include "model/base/time.hpp"
#include "model/jobs/task_fate.hpp"
#include "model/metrics/metrics.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

/// The messages between schedulers and partition owners, as plain values.
namespace troupe {

/// Counts the commits of one scheduler, from 1.
using commit_id = std::uint64_t;

/// A scheduler's request to run one task on one machine.
struct placement {
  task_id task;
  machine_id machine = 0;
  std::uint32_t seen_version = 0; ///< the machine's version in the view at the decision
  resources demand;
  duration runtime{0}; ///< runtime of an emulated task
  std::int32_t priority = 0;
  std::uint32_t tenant = 0;
  bool preempts = false; ///< may preempt tasks of lower priority
  duration estimate{0};  ///< of its run time; 0: none
};

/// The index of an owner's record of a running task. The task's end carries it, so that the owner
/// finds the record at once. It is a hint: the owner checks that the record is of this task.
using grant_number = std::uint32_t;

inline constexpr grant_number no_grant = std::numeric_limits<grant_number>::max();

/// A placement that was granted.
struct granted_placement : placement {
  grant_number grant = no_grant;
  std::uint32_t evicted = 0; ///< number of tasks that are evicted first
};

/// Another machine for a placement if its own has no room.
struct alternative {
  std::uint32_t index = 0; ///< of the placement in its commit
  machine_id machine = 0;
  std::uint32_t seen_version = 0; ///< as in `placement`
};

/// How an owner treats a commit. A commit over several owners that must succeed or fail as one
/// takes two steps: every owner holds its part; when all have answered, the scheduler settles it:
/// every part is launched, or every part is released.
enum class commit_mode : std::uint8_t {
  each,     ///< grant or refuse each placement on its own
  together, ///< grant all placements or none
  hold,     ///< as `together`, but launch nothing: hold the resources until the commit is settled
  launch,   ///< launch the tasks that an earlier commit holds
  release,  ///< release the resources that an earlier commit holds
};

inline std::string to_string(commit_mode mode) {
  constexpr const char* names[] = {"each", "together", "hold", "launch", "release"};
  return names[static_cast<std::size_t>(mode)];
}

/// A batch of placements for the partitions of one owner.
struct commit_request {
  scheduler_id scheduler = 0;
  commit_id id = 0;
  commit_id answered_below = 0;   ///< every earlier commit to this owner has been answered
  std::uint64_t reports_seen = 0; ///< task reports of this owner that have arrived
  std::vector<placement> placements;
  commit_mode mode = commit_mode::each;
  commit_id settles = 0; ///< launch and release: the commit that holds the placements
  /// Tried in this order if a placement's own machine is refused; by index.
  std::vector<alternative> alternatives{};
  std::uint32_t offers = 0; ///< the incarnation of the allocator that made the offers in use
};

/// A placement that an owner refused.
struct rejection {
  std::uint32_t index = 0; ///< of the placement in its commit
  conflict_cause cause = conflict_cause::taken;
  /// The other scheduler with the last grant on the machine; if there was none, the asking
  /// scheduler itself.
  scheduler_id winner = no_scheduler;
  std::uint32_t version = 0; ///< the machine's version after the commit
  resources free;            ///< the machine's free resources after the commit
  /// A view of at least this version of the partition includes the cause of the refusal; 0 if
  /// owners do not send versions.
  std::uint64_t partition_version = 0;
};

/// A placement that was granted on another machine than its own.
struct diversion {
  std::uint32_t index = 0; ///< of the placement in its commit
  machine_id machine = 0;
};

/// The present state of a machine.
struct machine_news {
  machine_id machine = 0;
  std::uint32_t version = 0;
  resources free;
};

/// An owner's answer: every placement without a rejection has been accepted.
struct commit_reply {
  owner_id owner = 0;
  commit_id id = 0;
  std::vector<rejection> rejections;   ///< in the order of the commit
  std::vector<diversion> diversions{}; ///< in the order of the commit
  /// The state, after the commit, of the machines on which alternatives were tried.
  std::vector<machine_news> machines{};
};

/// Resources held by tasks of one priority on the machines of a partition.
struct held_band {
  std::int32_t priority = 0;
  std::vector<std::int32_t> cells; ///< in the layout of a `free_table`
};

/// The state of one partition at one moment.
struct partition_snapshot {
  partition_id partition = 0;
  instant taken_at{0};
  cell_array free;                     ///< the cells of a `free_table`
  std::vector<std::uint32_t> versions; ///< one for each machine, or empty if they are not used
  std::vector<held_band> held{};       ///< lowest priority first; empty without preemption
  /// The number of grants in the partition so far; 0 if owners do not send versions.
  std::uint64_t version = 0;
  /// The units that `free` has room for, and their sums; empty in a snapshot of another process.
  counted_units counted{};
};

/// The snapshots that one owner sends to one scheduler in a round.
struct sync_update {
  owner_id owner = 0;
  std::uint64_t round = 0;
  commit_id commits_seen = 0; ///< the last commit of this scheduler that the snapshots include
  std::vector<partition_snapshot> partitions;
  /// The use of all machines of this owner, by tenant; empty if there is a single tenant.
  std::vector<resource_sum> used{};
};

/// How a task's run ended.
enum class task_outcome : std::uint8_t {
  finished,  ///< by itself
  failed,    ///< with an error
  lost,      ///< with its machine
  preempted, ///< killed for a task of higher priority
};

/// Returns the fate of a task that is over with this outcome. A preempted task is not over.
constexpr task_fate fate_of(task_outcome outcome) {
  if (outcome == task_outcome::finished)
    return task_fate::finished;
  return outcome == task_outcome::lost ? task_fate::lost : task_fate::failed;
}

inline std::string to_string(task_outcome outcome) {
  constexpr const char* names[] = {"finished", "failed", "lost", "preempted"};
  return names[static_cast<std::size_t>(outcome)];
}

/// One task's end.
struct task_end {
  task_id task;
  machine_id machine = 0;
  task_outcome outcome = task_outcome::finished;
  instant at{0};
  grant_number grant = no_grant;
};

/// A task that was preempted by one of higher priority, and has to run again from its start.
struct preempted_task {
  task_id task;
  machine_id machine = 0;
  instant at{0};
  duration ran{0}; ///< time since it was granted: the lost work
};

/// A machine that has left the cluster, has returned idle, or has changed its capacity.
struct machine_change {
  machine_id machine = 0;
  bool present = false;
  resources gain{}; ///< negative: a loss; zero: its whole capacity by the catalog

  /// Returns the change of free resources; `whole` is the machine's capacity by the catalog.
  resources change_of(const resources& whole) const {
    if (!gain.is_zero())
      return gain;
    return present ? whole : resources{} - whole;
  }
};

/// The new capacity of a machine, at most that of the catalog; zero: it leaves.
struct machine_capacity {
  machine_id machine = 0;
  resources capacity;
};

/// Ends of tasks, which an owner reports to their scheduler.
struct task_report {
  owner_id owner = 0;
  std::uint64_t number = 0; ///< counts the reports of one owner to one scheduler, from 1
  std::vector<task_end> ends;
  std::vector<machine_change> changes{}; ///< in order, if schedulers are notified of them
  std::vector<preempted_task> preempted{};
};

/// An order to a machine to run a task.
struct launch_order {
  task_id task;
  /// Who is notified of its end: the number of an owner, or of a scheduler if `by_scheduler`.
  std::uint32_t launcher = 0;
  resources demand;
  duration runtime{0};
  grant_number grant = no_grant;
  bool by_scheduler = false; ///< no owner is involved
  duration estimate{0};      ///< of its run time, if machines have windows; 0: none
};

/// Counts the incarnations of a member, from 1: a member that is restarted, or that replaces a dead
/// one, has a higher incarnation. Messages from earlier incarnations are refused. 0: incarnations
/// are not counted.
using incarnation_id = std::uint32_t;

/// An owner's order to a machine.
struct machine_order {
  launch_order what; ///< for a kill, only the task matters
  scheduler_id scheduler = no_scheduler;
  std::int32_t priority = 0;
  std::uint32_t tenant = 0;
  bool kill = false; ///< kill the task instead of launching it
  // If failures are watched: from one incarnation of an owner to one of a machine.
  incarnation_id owner_incarnation = 0;
  incarnation_id incarnation = 0; ///< of the machine
  std::uint64_t number = 0;       ///< counted from 1, for these two incarnations
};

} // namespace troupe
