#pragma once

#include "model/base/choice.hpp"
#include "model/base/ids.hpp"
#include "model/base/resource_sum.hpp"
#include "model/base/resources.hpp"
#include "model/base/time.hpp"
#include "model/explain/wait_reason.hpp"
#include "model/jobs/task_fate.hpp"
#include "model/metrics/metrics.hpp"

#include <array>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string_view>
#include <vector>

/// The records of jobs, tasks and refused placements that a run writes (docs/records.md).
namespace troupe {

/// The instant of an event that has not happened, or is not known.
inline constexpr instant no_instant = instant::min();

/// A duration that is not known.
inline constexpr duration unknown_time = duration::min();

/// Means "no machine": a task that has none, or of which it is not known.
inline constexpr machine_id no_machine = std::numeric_limits<machine_id>::max();

/// Where a task is. The last four are its fates; a job has one of `queued`, `running`, `finished`,
/// `failed` and `abandoned`.
enum class record_state : std::uint8_t {
  waiting, ///< for other tasks of its job
  queued,
  in_commit, ///< decided on, or sent to a machine
  running,
  finished,
  failed,
  lost,
  abandoned,
};

constexpr record_state record_state_of(task_fate fate) {
  return static_cast<record_state>(static_cast<std::uint8_t>(record_state::finished) +
                                   static_cast<std::uint8_t>(fate));
}

template <>
struct choice_names<record_state> {
  static constexpr std::array<std::string_view, 8> value{
    "waiting", "queued", "in_commit", "running", "finished", "failed", "lost", "abandoned"};
};

/// "?" for a value that has no name.
constexpr std::string_view name_of(record_state state) {
  constexpr auto& names = choice_names<record_state>::value;
  const auto i = static_cast<std::size_t>(state);
  return i < std::size(names) ? names[i] : "?";
}

/// The instants of a task's last run, or of the one that it waits for. Each may be `no_instant`.
struct task_times {
  instant submitted = no_instant;
  instant eligible = no_instant; ///< from when on its delay counts
  instant began = no_instant;    ///< the scheduler began to decide
  instant decided = no_instant;  ///< the decision was handed out
  instant granted = no_instant;  ///< the grant of its owner arrived
  instant started = no_instant;  ///< on its machine
  instant ended = no_instant;
};

/// What happened to a task, over all of its runs.
struct task_tallies {
  std::uint32_t attempts = 0;  ///< decisions handed out, or tasks sent to machines
  std::uint32_t conflicts = 0; ///< of these, refused with a conflict
  std::uint32_t runs = 0;
  std::uint32_t preempted = 0; ///< runs that had to give way
  std::uint32_t lost = 0;      ///< runs that were lost with a machine
  /// The cause of the last conflict, as an index; `conflict_causes`: there was none.
  std::uint8_t last_conflict = static_cast<std::uint8_t>(conflict_causes);
  duration work_lost{0};  ///< in runs that were preempted or lost
  duration refused{0};    ///< in attempts that were refused: from the decision to the answer
  duration backed_off{0}; ///< after refusals, before it might be tried again
};

struct task_record {
  task_id task;
  std::uint32_t task_group = 0; ///< index within the job
  std::uint32_t group = 0;      ///< of jobs
  scheduler_id scheduler = 0;
  record_state state = record_state::queued;
  resources demand;
  task_times at;
  task_tallies tallies;
  machine_id machine = no_machine;        ///< of the last run
  partition_id partition = 0;             ///< of that machine
  owner_id owner = 0;                     ///< of that partition; `no_scheduler`: none
  bool diverted = false;                  ///< the last run is on another machine than decided
  wait_reason reason = wait_reason::none; ///< why it waits, if it does in the end
  double quality = 0;               ///< score of that machine for the task; defined once it has run
  duration view_age = unknown_time; ///< of the partition, at the last decision
};

/// The instants of a job. Each may be `no_instant`.
struct job_times {
  instant submitted{0};
  instant began = no_instant;        ///< a scheduler began to decide on it for the first time
  instant decided = no_instant;      ///< that decision was handed out
  instant first_placed = no_instant; ///< a task was placed
  instant last_placed = no_instant;
  instant ended = no_instant; ///< the last end of a task so far
};

/// Sums over the placements of a job's tasks.
struct placement_sums {
  std::uint32_t count = 0;
  duration delay{0}; ///< scheduling delay
  duration longest_delay{0};
  double quality = 0;
  std::uint32_t aged = 0; ///< placements of which the age of the view is known
  duration view_age{0};
};

struct job_record {
  job_id job = 0;
  std::uint32_t group = 0; ///< of jobs
  std::uint32_t tenant = 0;
  std::uint32_t task_class = 0; ///< of its first task group
  scheduler_id scheduler = 0;   ///< the last one
  std::int32_t priority = 0;
  bool gang = false;
  std::uint32_t tasks = 0;
  resource_sum demand; ///< of all tasks
  record_state state = record_state::queued;
  std::array<std::uint32_t, task_fates> over{}; ///< tasks by fate
  job_times at;
  duration ideal{0}; ///< the longest chain of tasks that wait for each other
  std::uint32_t attempts = 0;
  placement_sums placed;
  std::array<std::uint32_t, conflict_causes> conflicts{}; ///< by cause
  std::uint32_t preempted = 0;                            ///< runs
  std::uint32_t lost = 0;                                 ///< runs
  duration work_lost{0};
  resource_seconds used;                  ///< by the runs that finished
  wait_reason reason = wait_reason::none; ///< why its first waiting task waits in the end
  duration estimate{0};                   ///< of its run time; 0: none
  std::uint32_t requested = 0;            ///< tasks that were asked for: others if it is moldable
};

/// A placement that an owner refused.
struct attempt_record {
  instant at{0}; ///< when the answer arrived
  task_id task;
  std::uint32_t attempt = 0; ///< counted from 1, since the task was queued the last time
  scheduler_id scheduler = 0;
  owner_id owner = 0;
  partition_id partition = 0;
  machine_id machine = 0;
  conflict_cause cause = conflict_cause::taken;
  scheduler_id winner = no_scheduler; ///< the scheduler with the last grant on the machine
  duration view_age{0};               ///< of the partition, at the decision
  resources free{};                   ///< on the machine, after the refusal
  resources asked{};
  wait_reason reason = wait_reason::none; ///< why the task waits at that time; `none`: it is over
  instant retry_at = no_instant;          ///< from when on it may be tried again
};

/// Records on their way to the files.
struct record_batch {
  std::vector<job_record> jobs;
  std::vector<task_record> tasks;
  std::vector<attempt_record> attempts;
  bool more = false; ///< others wait to be asked for

  bool empty() const { return jobs.empty() && tasks.empty() && attempts.empty(); }
  std::size_t size() const { return jobs.size() + tasks.size() + attempts.size(); }

  /// Removes all records; their memory is kept for others.
  void clear();

  /// Moves all instants to `by` earlier ones, for a reader whose time begins later.
  void move_earlier(duration by);
};

} // namespace troupe
