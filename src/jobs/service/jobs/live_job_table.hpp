#pragma once

#include "jobs/service/jobs/live_job.hpp"
#include "jobs/service/service_time.hpp"
#include "jobs/spec/job_spec.hpp"
#include "jobs/store/job_database.hpp"
#include "model/base/resource_sum.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace troupe {

/// The jobs that are not over, or whose ends are not durable yet, by number. Counts the tasks of
/// the jobs that are not over, and what the running ones use.
class live_job_table {
public:
  using job_map = std::map<std::uint64_t, std::unique_ptr<live_job>>;

  explicit live_job_table(std::uint64_t next_job) : next_job_(next_job) {}

  /// Returns the number that the next job will have.
  std::uint64_t next_job() const { return next_job_; }

  /// Adds a job under the next number. All its tasks wait.
  live_job& add(job_spec spec, service_time now);

  /// Adds a job as a store has kept it; its open attempts are not considered.
  live_job& adopt(const live_jobs::one& stored);

  /// Returns null if the job is not in the table.
  live_job* find(std::uint64_t id);
  const live_job* find(std::uint64_t id) const;

  /// Like `find`, but returns null also if the job is over.
  live_job* find_open(std::uint64_t id);

  const job_map& all() const { return jobs_; }

  void forget(std::uint64_t id) { jobs_.erase(id); }

  /// The job is over now; it stays in the table.
  void ended(const live_job& j) { live_tasks_ -= j.row.tasks; }

  /// The job was over, and is not any more.
  void begun_again(const live_job& j) { live_tasks_ += j.row.tasks; }

  /// A task of a group runs now.
  void started(live_job& j, live_group& g);

  /// A task of a group does not run any more.
  void stopped(live_job& j, live_group& g);

  /// What the running tasks use, by tenant.
  const std::map<std::string, resource_sum>& used() const { return used_; }

  /// The number of tasks of all jobs that are not over.
  std::uint64_t live_tasks() const { return live_tasks_; }

private:
  live_job& insert(std::unique_ptr<live_job> made);

  job_map jobs_;
  std::uint64_t next_job_;
  std::map<std::string, resource_sum> used_; ///< by tenant
  std::uint64_t live_tasks_ = 0;
};

} // namespace troupe
