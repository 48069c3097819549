#pragma once

#include "model/base/distribution.hpp"
#include "model/base/ids.hpp"
#include "model/base/resource_sum.hpp"
#include "model/base/resources.hpp"
#include "model/base/time.hpp"
#include "model/metrics/attempt_counts.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace troupe {

/// Why an owner refused a placement.
enum class conflict_cause : std::uint8_t {
  taken,   ///< another scheduler's task holds the resources
  changed, ///< the machine has changed since the view was taken
  gone,    ///< the machine, or the needed part of its capacity, has left the cluster
  moved,   ///< the partition belongs to another owner
  aborted, ///< not a conflict: another placement of its transaction was refused
};

/// The number of causes that are conflicts: all but the last.
inline constexpr std::size_t conflict_causes = 4;

inline std::string to_string(conflict_cause cause) {
  constexpr const char* names[] = {"taken", "changed", "gone", "moved", "aborted"};
  return names[static_cast<std::size_t>(cause)];
}

/// Numbers of tasks by step. All but the last three only grow.
struct task_counts {
  std::uint64_t submitted = 0; ///< submitted by the workload
  std::uint64_t placed = 0;    ///< placements accepted by an owner
  std::uint64_t finished = 0;  ///< ended by themselves
  std::uint64_t failed = 0;    ///< ended with an error
  std::uint64_t lost = 0;      ///< lost with their machine and not run again
  std::uint64_t abandoned = 0; ///< given up after too many attempts
  std::uint64_t queued = 0;    ///< waiting at a scheduler now
  std::uint64_t in_commit = 0; ///< decided on, without an answer of the owner, now
  std::uint64_t running = 0;   ///< running on a machine now

  task_counts& operator+=(const task_counts& other);

  /// Adds only the counts that grow, or only those marked "now".
  void add_growing(const task_counts& other);
  void add_present(const task_counts& other);

  /// Returns whether every submitted task is in exactly one place.
  bool balanced() const {
    return submitted == queued + in_commit + running + finished + failed + lost + abandoned;
  }
};

/// The mean age of a scheduler's view over its partitions, integrated over time.
struct view_age {
  double weighted = 0; ///< integral of the mean age over time, in s^2
  double seconds = 0;  ///< length of time integrated over, in s
  double min = 0;      ///< least mean age, in s; defined if seconds > 0
  double max = 0;      ///< greatest mean age, in s

  double mean() const { return seconds > 0 ? weighted / seconds : 0; }
  void merge(const view_age& other);
};

/// Tasks that were preempted by others of higher priority, and their lost work.
struct preemption_counts {
  std::uint64_t tasks = 0;
  duration ran{0};       ///< sum of their runtimes
  resource_seconds work; ///< sum of their resources times their runtimes

  void merge(const preemption_counts& other);
};

/// Counts over an interval of schedulers that probe machines (Sparrow).
struct sparrow_sample {
  std::uint64_t probes = 0;        ///< requests for the length of a queue
  std::uint64_t reservations = 0;  ///< places in queues
  std::uint64_t requests = 0;      ///< requests of machines for a task (getTask)
  std::uint64_t noops = 0;         ///< requests that got no task
  std::uint64_t cancellations = 0; ///< reservations cancelled
  std::uint64_t stolen = 0;        ///< tasks given to a machine that had stolen the reservation
  std::uint64_t launched = 0;      ///< tasks sent to machines
  std::uint64_t started = 0;       ///< tasks started by machines
  moments ratio;                   ///< probes per task, one number for each job

  void merge(const sparrow_sample& other);
};

/// Counts of one scheduler, or of a group of them, over an interval. The counts in `tasks` that
/// only grow cover this interval alone; those marked "now", and the ages of waiting tasks and open
/// jobs, are those at its end.
///
/// A job is over once all of its tasks are. It is then finished if all of them ended by themselves,
/// abandoned if one was abandoned before it was placed, and failed otherwise (a task ended with an
/// error, or was lost for good).
///
/// The scheduling delay of a task lasts from the instant that it was queued until it was placed. It
/// is queued when its job is submitted or, if it waits for other tasks, when the last of these has
/// ended, and again whenever it loses its place. Each such wait is counted.
struct scheduler_sample {
  task_counts tasks;
  std::uint64_t jobs_submitted = 0;
  std::uint64_t jobs_finished = 0;
  std::uint64_t jobs_failed = 0; ///< abandoned ones are in `attempts`
  std::uint64_t molded = 0; ///< tasks that moldable jobs got beside those of their least widths
  std::uint64_t conflicts = 0;
  std::array<std::uint64_t, conflict_causes> conflicts_by_cause{};
  std::uint64_t commits = 0;     ///< commits sent
  std::uint64_t retransmits = 0; ///< commits sent again because no answer came
  duration busy{0};              ///< deciding time within this interval
  distribution delay;            ///< scheduling delay of placed tasks, in s
  distribution waiting;          ///< ages of the tasks that wait for a place now, in s
  double waited = 0;             ///< number of waiting tasks integrated over time, in tasks times s
  distribution given_up;         ///< waiting times of abandoned tasks, in s
  distribution job_response;     ///< submission to last task's end, for finished jobs, in s
  distribution open_jobs;        ///< ages of the jobs that are not over now, in s
  distribution broken_jobs;      ///< submission to end, for jobs that did not finish, in s
  moments quality;               ///< scores of the obtained slots
  moments placement_age;         ///< age of the view of the partition at the decision, for accepted
                                 ///< placements, in s
  view_age age;
  duration oldest_partition{0};       ///< greatest age of a partition of the view
  std::uint64_t snapshots = 0;        ///< partition snapshots received
  std::uint64_t duplicate_grants = 0; ///< placements granted a second time: must be 0
  /// Placements granted on a machine that does not meet the task's constraints, or that holds
  /// another task of its job although they must be on separate machines: must be 0.
  std::uint64_t constraint_violations = 0;
  preemption_counts preempted; ///< preempted tasks of these jobs
  attempt_counts attempts;     ///< placement attempts
  sparrow_sample sparrow{};

  /// Adds the counts of another scheduler over the same interval.
  void merge(const scheduler_sample& other) {
    merge_growing(other);
    merge_present(other);
  }

  /// Adds only the counts over the interval; the other interval may be a different one.
  void merge_growing(const scheduler_sample& other);

  /// Adds only the numbers as of the interval's end: tasks by place, and the ages of waiting tasks.
  void merge_present(const scheduler_sample& other);
};

/// Ages of the entries that a job store keeps for one scheduler, in s: of the tasks that are not
/// over, waiting or running, and of their jobs.
struct kept_ages {
  distribution tasks;
  distribution jobs;
};

/// Counts of a scheduler for the jobs of one group.
struct group_sample {
  std::uint32_t group = 0;
  scheduler_sample sample;
};

/// The use of an owner's machines by one tenant.
struct tenant_usage {
  resource_sum now;
  resource_seconds over; ///< integrated over the interval
};

/// The amounts of one resource that were present, in use and stranded, integrated over time, in
/// units of the resource times seconds.
struct resource_use {
  double capacity = 0;
  double used = 0;
  /// Free amounts on machines without room for the catalog's fragment: a task of that size could
  /// not use them.
  double stranded = 0;

  /// The share of the capacity that was in use; 0 without capacity.
  double utilization() const { return capacity > 0 ? used / capacity : 0; }

  /// The share of the free amounts that was stranded; 0 if nothing was free.
  double fragmentation() const { return capacity > used ? stranded / (capacity - used) : 0; }

  void merge(const resource_use& other);
};

/// One for each kind of resource, in the order of `resource`.
using resource_uses = std::array<resource_use, resource_kinds>;

/// Counts of one partition owner over an interval.
struct owner_sample {
  std::uint64_t machines = 0;        ///< machines present now
  std::uint64_t running = 0;         ///< tasks running now
  double used_seconds = 0;           ///< integral over time of the share of capacity in use
  double seconds = 0;                ///< length of the interval in which there was a machine
  double capacity_weight = 0;        ///< weight of this owner's share in a sum over owners
  std::uint64_t accepted = 0;        ///< placements granted
  std::uint64_t rejected = 0;        ///< placements refused
  std::uint64_t ended = 0;           ///< recorded task ends
  std::uint64_t over_capacity = 0;   ///< machines found over capacity: must be 0
  std::uint64_t unknown_ends = 0;    ///< ends of tasks that were not running: must be 0
  std::uint64_t evicted = 0;         ///< preempted tasks
  std::vector<tenant_usage> tenants; ///< by tenant; empty if there is only one
  resource_uses resources{};         ///< over the interval

  /// Adds the counts of another owner.
  void merge(const owner_sample& other);
};

/// Counts of machines with queues (Sparrow) since the start, for all machines of a node together.
struct queue_counts {
  std::uint64_t machines = 0;       ///< number of machines
  std::uint64_t launched = 0;       ///< tasks started without a grant of an owner
  std::uint64_t steal_attempts = 0; ///< requests to other machines for work
  std::uint64_t steals = 0;         ///< successful requests
  std::uint64_t stolen = 0;         ///< entries taken over by stealing
  double used_seconds = 0;          ///< integral of the share of the capacity in use, in s
  double seconds = 0;               ///< length of time integrated over, in s
  resource_uses resources{};        ///< integrated over that time
  /// By tenant, without the tasks that owners have granted; empty if there is only one tenant.
  std::vector<tenant_usage> tenants{};

  /// Adds the counts of another node.
  void merge(const queue_counts& other);
};

/// Counts of a node of machines since its start.
struct node_status {
  std::uint64_t launched = 0;      ///< tasks started
  std::uint64_t ended = 0;         ///< tasks ended
  std::uint64_t killed = 0;        ///< those that ended before their time
  std::uint64_t over_capacity = 0; ///< launches that would have overfilled a machine: must be 0
  queue_counts queues{};           ///< of machines with queues
};

} // namespace troupe
