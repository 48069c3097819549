#pragma once

#include "model/attempt_counts.hpp"
#include "model/distribution.hpp"
#include "model/ids.hpp"
#include "model/resource_sum.hpp"
#include "model/resources.hpp"
#include "model/time.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace troupe {

/// Why an owner refused a placement.
enum class conflict_cause : std::uint8_t {
  taken,   ///< another scheduler's task holds the resources
  changed, ///< the machine has changed since the view was taken
  gone,    ///< the machine, or that part of it, has left the cluster
  moved,   ///< the partition belongs to another owner
  aborted, ///< no conflict itself: refused because another placement of its transaction was
};

/// How many causes are conflicts: all but the last.
inline constexpr std::size_t conflict_causes = 4;

inline std::string to_string(conflict_cause cause) {
  constexpr const char* names[] = {"taken", "changed", "gone", "moved", "aborted"};
  return names[static_cast<std::size_t>(cause)];
}

/// How many tasks went through each step. All but the last three only grow.
struct task_counts {
  std::uint64_t submitted = 0; ///< handed in by the workload
  std::uint64_t placed = 0;    ///< placements accepted by an owner
  std::uint64_t finished = 0;  ///< ended by themselves
  std::uint64_t failed = 0;    ///< ended with an error
  std::uint64_t lost = 0;      ///< lost with their machine and not run again
  std::uint64_t abandoned = 0; ///< given up after too many attempts
  std::uint64_t queued = 0;    ///< waiting at a scheduler now
  std::uint64_t in_commit = 0; ///< decided on, not yet answered by an owner, now
  std::uint64_t running = 0;   ///< running on a machine now

  task_counts& operator+=(const task_counts& other);

  /// Adds only those that grow, or only those that say "now".
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
  double min = 0;      ///< least mean age seen, in s; meaningful where seconds > 0
  double max = 0;      ///< greatest mean age seen, in s

  double mean() const { return seconds > 0 ? weighted / seconds : 0; }
  void merge(const view_age& other);
};

/// Tasks that lost their places to others of higher priority, and the work that was lost with them.
struct preemption_counts {
  std::uint64_t tasks = 0;
  duration ran{0};       ///< how long they had run, summed
  resource_seconds work; ///< what they had held, times how long

  void merge(const preemption_counts& other);
};

/// What schedulers that probe machines (Sparrow) counted over an interval.
struct sparrow_sample {
  std::uint64_t probes = 0;        ///< questions for the length of a queue
  std::uint64_t reservations = 0;  ///< places in queues
  std::uint64_t requests = 0;      ///< times that a machine asked for a task (getTask)
  std::uint64_t noops = 0;         ///< of these, without getting one
  std::uint64_t cancellations = 0; ///< reservations cancelled
  std::uint64_t stolen = 0;        ///< tasks given to a machine that had stolen the reservation
  std::uint64_t launched = 0;      ///< tasks sent to machines
  std::uint64_t started = 0;       ///< tasks that machines have started
  moments ratio;                   ///< probes per task, as decided job by job

  void merge(const sparrow_sample& other);
};

/// What one scheduler, or a group of them, counted over an interval. The counts in `tasks` that
/// only grow are of this interval alone; those that say "now", and the ages of what waits or is
/// open, are of its end.
///
/// A job is over once all of its tasks are: it is then finished if all of them ended by themselves,
/// abandoned if one was given up before it was placed, and failed otherwise (a task ended with an
/// error, or was lost for good).
///
/// The scheduling delay of a task lasts from the instant that it was queued until it was placed. It
/// is queued when its job is submitted, when the last of the tasks that it waits for has ended, and
/// once more whenever it has lost its place, at that instant: each such wait is counted.
struct scheduler_sample {
  task_counts tasks;
  std::uint64_t jobs_submitted = 0;
  std::uint64_t jobs_finished = 0;
  std::uint64_t jobs_failed = 0; ///< abandoned ones are in `attempts`
  std::uint64_t conflicts = 0;
  std::array<std::uint64_t, conflict_causes> conflicts_by_cause{};
  std::uint64_t commits = 0;     ///< commits sent
  std::uint64_t retransmits = 0; ///< commits sent again because no answer came
  duration busy{0};              ///< time spent deciding, of this interval
  distribution delay;            ///< scheduling delay of placed tasks, in s
  distribution waiting;          ///< ages of the tasks that wait for a place now, in s
  double waited = 0;             ///< tasks that waited for a place times how long, in s
  distribution given_up;         ///< how long abandoned tasks had waited, in s
  distribution job_response;     ///< submission to last task's end, of finished jobs, in s
  distribution open_jobs;        ///< ages of the jobs that are not over now, in s
  distribution broken_jobs;      ///< submission to the end of jobs that did not finish, in s
  moments quality;               ///< scores of the slots obtained
  moments placement_age;         ///< age of the partition decided on, accepted placements, in s
  view_age age;
  duration oldest_partition{0};       ///< greatest age of a partition of the view
  std::uint64_t snapshots = 0;        ///< partition snapshots received
  std::uint64_t duplicate_grants = 0; ///< placements granted a second time: must be 0
  /// Placements granted on a machine that does not meet the task's constraints, or holds another
  /// task of its job where they are to keep apart: must be 0.
  std::uint64_t constraint_violations = 0;
  preemption_counts preempted; ///< tasks of these jobs that had to give way
  attempt_counts attempts;     ///< how placing went
  sparrow_sample sparrow{};

  /// Adds what another scheduler counted over the same interval.
  void merge(const scheduler_sample& other) {
    merge_growing(other);
    merge_present(other);
  }

  /// Adds only what was counted over the interval: also of another interval.
  void merge_growing(const scheduler_sample& other);

  /// Adds only the numbers as of the interval's end: tasks by place, and the ages of waiting tasks.
  void merge_present(const scheduler_sample& other);
};

/// The ages of what a job store keeps for one scheduler, in s: of its tasks that are not over,
/// whether they wait or run, and of its jobs.
struct kept_ages {
  distribution tasks;
  distribution jobs;
};

/// What a scheduler counted for the jobs of one group.
struct group_sample {
  std::uint32_t group = 0;
  scheduler_sample sample;
};

/// What one tenant uses of an owner's machines.
struct tenant_usage {
  resource_sum now;
  resource_seconds over; ///< integrated over the interval
};

/// How much of one resource was there, in use and stranded, integrated over time: in units of the
/// resource times seconds.
struct resource_use {
  double capacity = 0;
  double used = 0;
  /// What was free on machines without room for the catalog's fragment: a task of that size could
  /// not use it.
  double stranded = 0;

  /// The share of the capacity that was in use; 0 where there was none.
  double utilization() const { return capacity > 0 ? used / capacity : 0; }

  /// The share of what was free that was stranded; 0 where nothing was free.
  double fragmentation() const { return capacity > used ? stranded / (capacity - used) : 0; }

  void merge(const resource_use& other);
};

/// One for each kind of resource, in the order of `resource`.
using resource_uses = std::array<resource_use, resource_kinds>;

/// What one partition owner counted over an interval.
struct owner_sample {
  std::uint64_t machines = 0;        ///< machines present now
  std::uint64_t running = 0;         ///< tasks running now
  double used_seconds = 0;           ///< integral over time of the share of capacity in use
  double seconds = 0;                ///< length of the interval, as long as there was a machine
  double capacity_weight = 0;        ///< what this owner's share counts for in a sum over owners
  std::uint64_t accepted = 0;        ///< placements granted
  std::uint64_t rejected = 0;        ///< placements refused
  std::uint64_t ended = 0;           ///< task ends booked
  std::uint64_t over_capacity = 0;   ///< machines found over capacity: must be 0
  std::uint64_t unknown_ends = 0;    ///< ends of tasks that were not running: must be 0
  std::uint64_t evicted = 0;         ///< tasks that had to give way
  std::vector<tenant_usage> tenants; ///< by tenant; none if there is a single one
  resource_uses resources{};         ///< over the interval

  /// Adds what another owner counted.
  void merge(const owner_sample& other);
};

/// What machines with queues (Sparrow) counted since the start, all machines of a node together.
struct queue_counts {
  std::uint64_t machines = 0;       ///< that there are
  std::uint64_t launched = 0;       ///< tasks started that no owner has granted
  std::uint64_t steal_attempts = 0; ///< machines asked for work
  std::uint64_t steals = 0;         ///< of these, with success
  std::uint64_t stolen = 0;         ///< entries taken over
  double used_seconds = 0;          ///< integral of the share of the capacity in use, in s
  double seconds = 0;               ///< length of time integrated over, in s
  resource_uses resources{};        ///< over that time
  /// By tenant, without the tasks that owners have granted; none if there is a single one.
  std::vector<tenant_usage> tenants{};

  /// Adds what another node counted.
  void merge(const queue_counts& other);
};

/// What a node of machines counted since its start.
struct node_status {
  std::uint64_t launched = 0;      ///< tasks started
  std::uint64_t ended = 0;         ///< tasks ended
  std::uint64_t killed = 0;        ///< of these, before their time
  std::uint64_t over_capacity = 0; ///< launches that would have overfilled a machine: must be 0
  queue_counts queues{};           ///< of machines with queues
};

} // namespace troupe
