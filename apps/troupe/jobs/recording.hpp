#pragma once

#include "jobs/job_api.hpp"
#include "workload/formats/recorded_rows.hpp"

#include <cstdint>
#include <vector>

namespace troupe {

/// What a cluster did, for a trace in the format `recorded`.
struct recording {
  recording_head head;
  std::vector<recorded_machine> machines; ///< by time: when they came, and when they left
  std::uint64_t machine_count = 0;
  std::vector<recorded_job> jobs; ///< by submission
  std::uint64_t tasks = 0;
  std::uint64_t open = 0;      ///< tasks that were left out, as they are not over
  std::uint64_t unstarted = 0; ///< tasks that were left out, as they were never started
};

/// Asks a cluster for the machines that it had meanwhile, and for what became of the jobs that were
/// submitted from `from_ms` (UTC) on.
///
/// The duration of a task is the time that its attempts ran, without those whose outcome is
/// unknown. A job with a gang among several groups becomes a job for each group, submitted when the
/// groups before it were over: gangs are whole jobs to the schedulers. Jobs that wait for others
/// are submitted when these were over. Throws like `job_api`.
recording record_jobs(job_api& api, std::int64_t from_ms);

} // namespace troupe
