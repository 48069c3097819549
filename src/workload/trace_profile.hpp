#pragma once

#include "model/distribution.hpp"
#include "workload/machine_table.hpp"
#include "workload/rate_histogram.hpp"
#include "workload/trace_format.hpp"
#include "workload/trace_job.hpp"

#include <optional>

namespace troupe {

/// How jobs are spread: in time, in size, in what they ask for.
struct job_distributions {
  distribution interarrival;             ///< s
  distribution tasks;                    ///< per job
  distribution duration;                 ///< of tasks, s
  distribution requests[resource_kinds]; ///< of tasks: cores, GiB, cards, slots
  instant last{0};
  bool any = false;

  /// Adds a job; they come in the order of their submission.
  void add(instant submitted, const std::vector<task_group>& groups);
};

/// What a kind of resource is counted in, in profiles: cores, GiB, cards, slots.
double amount_of(const resources& what, std::size_t kind);

/// What the jobs of a trace are like.
struct trace_profile {
  trace_format format = trace_format::tr;
  std::uint64_t jobs = 0;
  std::uint64_t tasks = 0;
  instant first{0}; ///< submission, since the start of the window
  instant last{0};
  double task_seconds = 0;
  std::uint64_t asking_jobs = 0; ///< that say what their tasks ask for
  std::uint64_t gangs = 0;
  std::uint64_t spreading = 0;         ///< jobs whose tasks keep apart
  std::uint64_t dependent_jobs = 0;    ///< with tasks that wait for others
  std::uint64_t constrained_tasks = 0; ///< that demand attributes
  std::map<std::int32_t, std::uint64_t> tasks_by_priority;
  std::map<std::string, std::uint64_t> constraints; ///< tasks by what they demand, up to 1,000
  job_distributions of;
  std::uint64_t peak_second = 0; ///< most tasks submitted within one second
  std::uint64_t peak_minute = 0; ///< and within one minute
  rate_histogram jobs_over_time;

  std::uint64_t rows = 0;
  std::uint64_t bytes = 0; ///< of text, unpacked
  std::map<std::string, std::uint64_t> events;
  std::map<std::string, std::uint64_t> skipped;
  std::uint64_t malformed = 0;
  std::string first_malformed;
};

/// Reads the jobs of a trace; throws as `open_trace` and `trace_reader` do.
trace_profile profile_trace(const std::string& path, const trace_settings& settings);

} // namespace troupe
