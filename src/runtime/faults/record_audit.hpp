#pragma once

#include "model/cluster/catalog.hpp"
#include "model/metrics/group_counters.hpp"
#include "model/records/record_book.hpp"
#include "runtime/faults/task_history.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace troupe {

/// Compares the records of jobs and tasks with the real events (`task_history`), each record when
/// it is finished, and all together at the end.
///
/// Always: a task that ended by itself has a run on the recorded machine with the recorded start
/// and end. The instants of a record are in order, and its numbers agree with each other and with
/// those of its job. In the end each task and each job has a record: exactly one, unless its
/// scheduler was replaced. The outcomes of the tasks match the job stores, and the sums over a
/// scheduler that was not replaced match its own counters.
///
/// As long as nothing has failed, the number of attempts, the runs and each refusal are compared as
/// well. After a failure, a scheduler may have to conclude the outcome of a placement from the
/// statement of a new owner.
class record_audit {
public:
  /// `kills`: by group of jobs, whether schedulers have tasks killed when their estimates are over.
  /// A machine ends such a run like any other; the scheduler declares that the task has failed.
  explicit record_audit(const catalog& machines, std::vector<bool> kills = {})
    : machines_(&machines), kills_(std::move(kills)) {}

  task_history& truth() { return truth_; }

  /// Something has failed: from now on not every attempt is visible from outside.
  void disturb() { calm_ = false; }

  /// An incarnation of a scheduler has finished records since the last call. Returns the fault of
  /// the first wrong one, or nothing.
  std::optional<std::string> look_at(scheduler_id scheduler, std::uint32_t incarnation,
                                     const record_book& book, instant now);

  /// What the members know of the jobs in the end.
  struct totals {
    std::uint64_t tasks = 0; ///< of all job stores
    std::array<std::uint64_t, task_fates> tasks_by_fate{};
    std::array<std::uint64_t, task_fates> jobs_by_fate{};
  };

  /// Returns a fault in the records of a run whose jobs are all over, or nothing.
  std::optional<std::string> check_end(const totals& all) const;

  /// Returns where the records of a scheduler that was never replaced differ from its counters.
  std::optional<std::string> compare(scheduler_id scheduler, const group_counters& counters) const;

private:
  /// What the finished records of one incarnation of a scheduler say together.
  struct sums {
    std::size_t jobs_seen = 0;
    std::size_t tasks_seen = 0;
    std::size_t attempts_seen = 0;
    std::uint64_t attempts = 0;
    std::uint64_t placed = 0;
    std::array<std::uint64_t, conflict_causes> conflicts{};
    std::uint64_t aborted = 0; ///< by the records of refusals
    std::uint64_t preempted = 0;
    std::array<std::uint64_t, task_fates> over{};
  };

  /// What the records of the tasks of a job say together, all by one incarnation.
  struct task_sums {
    std::uint32_t tasks = 0;
    std::uint64_t attempts = 0;
    std::uint64_t conflicts = 0;
    std::uint64_t preempted = 0;
    std::uint64_t lost = 0;
    duration work_lost{0};
    instant ended = no_instant;
  };

  /// The records of a task or a job.
  struct entries {
    std::uint32_t count = 0;
    record_state latest = record_state::queued;
    bool differ = false;   ///< in their state
    bool replaced = false; ///< one is by a later incarnation than the first
  };

  using writer = std::pair<scheduler_id, std::uint32_t>; ///< and its incarnation

  std::string check(const task_record& r, const writer& by, instant now);
  std::string check_run(const task_record& r, bool first);
  std::string check_history(const task_record& r);
  std::string check(const job_record& r, const writer& by, instant now);
  std::string check(const attempt_record& r, const writer& by, instant now);
  static void note(entries& known, record_state state, bool first);

  const catalog* machines_;
  std::vector<bool> kills_;
  task_history truth_;
  bool calm_ = true;
  std::map<writer, sums> sums_;
  std::map<std::pair<writer, job_id>, task_sums> by_job_; ///< jobs that are not over
  std::map<task_id, entries> tasks_;
  std::map<job_id, entries> jobs_;
};

} // namespace troupe
