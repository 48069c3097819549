#pragma once

#include "model/ids.hpp"
#include "model/metrics.hpp"
#include "model/resource_sum.hpp"
#include "model/resources.hpp"
#include "model/task_fate.hpp"
#include "model/time.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

/// What schedulers and partition owners tell each other, as plain values.
namespace troupe {

/// Counts the commits of one scheduler, from 1.
using commit_id = std::uint64_t;

/// One task that a scheduler wants to run on one machine.
struct placement {
  task_id task;
  machine_id machine = 0;
  std::uint32_t seen_version = 0; ///< the machine's version in the view it was decided on
  resources demand;
  duration runtime{0}; ///< how long an emulated task runs
  std::int32_t priority = 0;
  std::uint32_t tenant = 0;
  bool preempts = false; ///< may take the place of tasks of lower priority
};

/// Where an owner has noted a running task. A hint, to find it again at once: it comes back with
/// the task's end and holds if that very task is noted there.
using grant_number = std::uint32_t;

inline constexpr grant_number no_grant = std::numeric_limits<grant_number>::max();

/// A placement that was granted.
struct granted_placement : placement {
  grant_number grant = no_grant;
  std::uint32_t evicted = 0; ///< tasks that have to leave the machine first
};

/// Another machine that a placement may go to if its own has no room.
struct alternative {
  std::uint32_t index = 0; ///< of the placement in its commit
  machine_id machine = 0;
  std::uint32_t seen_version = 0; ///< as in `placement`
};

/// What an owner is to do with a commit. What falls on several owners and has to stand or fall as
/// one takes two steps: every owner holds its part, and once all have answered, the scheduler
/// settles it, that is, has every part launched or released.
enum class commit_mode : std::uint8_t {
  each,     ///< grant or refuse each placement on its own
  together, ///< grant all placements or none
  hold,     ///< the same, but launch nothing: the resources are held until that is settled
  launch,   ///< launch what an earlier commit holds
  release,  ///< give up what an earlier commit holds
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
  /// Tried in this order where a placement's own machine is refused; by index.
  std::vector<alternative> alternatives{};
  std::uint32_t offers = 0; ///< the life of the allocator on whose offers it places tasks
};

/// A placement that an owner refused.
struct rejection {
  std::uint32_t index = 0; ///< of the placement in its commit
  conflict_cause cause = conflict_cause::taken;
  /// The other scheduler that was last granted something on the machine; where there was no other,
  /// the asking one itself.
  scheduler_id winner = no_scheduler;
  std::uint32_t version = 0; ///< the machine's version after the commit
  resources free;            ///< the machine's free resources after the commit
  /// The version of the partition that a view must have reached to know of what was in the way; 0
  /// where owners do not name versions.
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

/// An owner's answer: every placement that is not rejected has been accepted.
struct commit_reply {
  owner_id owner = 0;
  commit_id id = 0;
  std::vector<rejection> rejections;   ///< in the order of the commit
  std::vector<diversion> diversions{}; ///< in the order of the commit
  /// The state, after the commit, of the machines that alternatives were tried on.
  std::vector<machine_news> machines{};
};

/// What tasks of one priority hold on the machines of a partition.
struct held_band {
  std::int32_t priority = 0;
  std::vector<std::int32_t> cells; ///< laid out as those of a `free_table`
};

/// The state of one partition at one moment.
struct partition_snapshot {
  partition_id partition = 0;
  instant taken_at{0};
  std::vector<std::int32_t> free;      ///< the cells of a `free_table`
  std::vector<std::uint32_t> versions; ///< one for each machine, or none if nobody looks at them
  std::vector<held_band> held{};       ///< lowest priority first; none if nobody preempts
  /// Grants in the partition so far; 0 where owners do not name versions.
  std::uint64_t version = 0;
};

/// The snapshots that one owner sends to one scheduler in a round.
struct sync_update {
  owner_id owner = 0;
  std::uint64_t round = 0;
  commit_id commits_seen = 0; ///< the latest commit of this scheduler that the snapshots reflect
  std::vector<partition_snapshot> partitions;
  /// What runs on all machines of this owner, by tenant; none if there is a single tenant.
  std::vector<resource_sum> used{};
};

/// How a task's run ended.
enum class task_outcome : std::uint8_t {
  finished,  ///< by itself
  failed,    ///< with an error
  lost,      ///< with its machine
  preempted, ///< killed to make room for one of higher priority
};

/// Returns the fate of a task that is over with this outcome: one that was preempted is not.
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

/// A task that lost its place to one of higher priority, and has to run again from its start.
struct preempted_task {
  task_id task;
  machine_id machine = 0;
  instant at{0};
  duration ran{0}; ///< since it was granted: the work that is lost
};

/// A machine that has left the cluster, or has come back, idle; or one that has more or less than
/// before.
struct machine_change {
  machine_id machine = 0;
  bool present = false;
  resources gain{}; ///< less than nothing: a loss; none: all that it has by the catalog

  /// What there is more of now, `whole` being what the machine has by the catalog.
  resources change_of(const resources& whole) const {
    if (!gain.is_zero())
      return gain;
    return present ? whole : resources{} - whole;
  }
};

/// What a machine has from now on, at most what it has by the catalog; nothing: it leaves.
struct machine_capacity {
  machine_id machine = 0;
  resources capacity;
};

/// The ends that an owner reports to the scheduler whose tasks they were.
struct task_report {
  owner_id owner = 0;
  std::uint64_t number = 0; ///< counts the reports of one owner to one scheduler, from 1
  std::vector<task_end> ends;
  std::vector<machine_change> changes{}; ///< in their order, where schedulers are told of them
  std::vector<preempted_task> preempted{};
};

/// What a machine is told to run.
struct launch_order {
  task_id task;
  owner_id owner = 0; ///< who hears of its end
  resources demand;
  duration runtime{0};
  grant_number grant = no_grant;
  bool by_scheduler = false; ///< no owner knows of it: `owner` is the number of a scheduler
};

/// Counts the lives of a member, from 1: a member that is restarted, or replaces one that has died,
/// has a higher life. Messages from an earlier life are refused. 0: lives are not counted.
using incarnation = std::uint32_t;

/// An owner's order to a machine.
struct machine_order {
  launch_order what; ///< to be killed: the task alone counts
  scheduler_id scheduler = no_scheduler;
  std::int32_t priority = 0;
  std::uint32_t tenant = 0;
  bool kill = false; ///< of the task, instead of its launch
  // Where failures are watched: from one life of an owner to one life of a machine.
  incarnation epoch = 0;
  incarnation life = 0;     ///< of the machine
  std::uint64_t number = 0; ///< counted from 1, for these two lives
};

} // namespace troupe
