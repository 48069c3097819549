#pragma once

#include "model/base/distribution.hpp"
#include "workload/fit/rate_histogram.hpp"
#include "workload/formats/machine_table.hpp"
#include "workload/traces/trace_format.hpp"
#include "workload/traces/trace_job.hpp"

#include <optional>

namespace troupe {

/// The distributions of jobs: arrivals, sizes and requests.
struct job_distributions {
  distribution interarrival;             ///< s
  distribution tasks;                    ///< per job
  distribution duration;                 ///< of tasks, s
  distribution requests[resource_kinds]; ///< of tasks: cores, GiB, cards, slots
  instant last{0};
  bool any = false;

  /// Adds a job; jobs must come in the order of submission.
  void add(instant submitted, const std::vector<task_group>& groups);
};

/// Returns the unit of a kind of resource in profiles: cores, GiB, cards, slots.
double amount_of(const resources& what, std::size_t kind);

/// The statistics of the jobs of a trace.
struct trace_profile {
  trace_format format = trace_format::tr;
  std::uint64_t jobs = 0;
  std::uint64_t tasks = 0;
  instant first{0}; ///< submission, since the start of the window
  instant last{0};
  double task_seconds = 0;
  std::uint64_t asking_jobs = 0; ///< jobs with requests
  std::uint64_t gangs = 0;
  std::uint64_t spreading = 0;         ///< jobs with anti-affinity
  std::uint64_t dependent_jobs = 0;    ///< jobs with tasks that wait for others
  std::uint64_t constrained_tasks = 0; ///< tasks with constraints
  std::map<std::int32_t, std::uint64_t> tasks_by_priority;
  std::map<std::string, std::uint64_t> constraints; ///< tasks by constraint, of 1,000 at most
  job_distributions of;
  std::uint64_t peak_second = 0; ///< most tasks submitted within one second
  std::uint64_t peak_minute = 0; ///< most tasks submitted within one minute
  rate_histogram jobs_over_time;

  std::uint64_t rows = 0;
  std::uint64_t bytes = 0; ///< of uncompressed text
  std::map<std::string, std::uint64_t> events;
  std::map<std::string, std::uint64_t> skipped;
  std::uint64_t malformed = 0;
  std::string first_malformed;
};

/// Reads the jobs of a trace. Throws like `open_trace` and `trace_reader`.
trace_profile profile_trace(const std::string& path, const trace_settings& settings);

} // namespace troupe
