#pragma once

#include "jobs/service/attempts/lease_book.hpp"
#include "jobs/service/jobs/live_job_table.hpp"
#include "jobs/store/rows.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace troupe {

/// The changes of jobs that a store has to keep, since they were taken last. Jobs and groups are
/// noted by number, and read when the changes are taken; tasks and attempts are written at once.
class store_changes {
public:
  /// Notes a job that was added to the table. `key`: of its submission; empty: none.
  void add(const live_job& j, const std::string& key);

  /// Notes that the job's own row has changed.
  void note(const live_job& j) { jobs_.insert(j.row.id); }

  /// Notes that the rows of a group and of its job have changed.
  void note(const live_job& j, const live_group& g);

  /// Writes the row of a touched task. `reason`: of its state; may be empty.
  void write(const live_job& j, const live_group& g, std::uint32_t in_group,
             const std::string& reason);

  /// Writes the row of an attempt that is open.
  void write(const open_attempt& a);

  /// Writes the row of an attempt that has ended. `lost`: its outcome is unknown.
  void write(const open_attempt& a, const attempt_end& end, bool lost);

  /// Notes the least number of a scheduler's job that has not been reserved.
  void reserve_scheduler_jobs(job_id end) { rest_.next_scheduler_job = end; }

  /// Notes that the store has to remove a job.
  void forget(std::uint64_t id) { rest_.forgotten.push_back(id); }

  /// Returns whether the job's own row has changed.
  bool has(std::uint64_t id) const { return jobs_.contains(id); }

  /// Returns all changes since the last call. Jobs that are not in the table any more are left out.
  store_batch take(const live_job_table& jobs);

private:
  std::set<std::uint64_t> jobs_;
  std::set<std::pair<std::uint64_t, std::uint32_t>> groups_; ///< by job and number
  std::map<job_task, task_row> tasks_;
  std::map<attempt_key, attempt_row> attempts_;
  store_batch rest_;
};

} // namespace troupe
