#pragma once

#include "model/jobs/job_source.hpp"
#include "settings/schema/settings.hpp"
#include "workload/generate/arrivals.hpp"
#include "workload/generate/request.hpp"
#include "workload/generate/sampler.hpp"

#include <cstdint>

namespace troupe {

/// Generates jobs from the distributions in the settings: each has one task group, or a group for
/// each stage, which waits for the one before. The number of tasks, the durations and the requests
/// have separate random streams: changing one of the three does not change the others. A job's
/// estimate is the mean of its tasks' durations, with an error of up to `estimate_error`.
class job_generator {
public:
  job_generator(const workload_settings& settings, random_stream random);

  /// Returns the next job, numbered from 0 in the order of the calls.
  job make(instant submitted);

  /// Returns the mean number of tasks per job.
  double mean_tasks() const { return tasks_.mean_count(); }

private:
  sampler tasks_;
  sampler durations_;
  request_sampler requests_;
  std::uint32_t stages_;
  bool duration_per_job_;
  double estimate_error_;
  random_stream tasks_random_;
  random_stream durations_random_;
  random_stream requests_random_;
  random_stream estimates_random_;
  job_id next_id_ = 0;
};

/// Jobs that arrive phase after phase, until the last phase ends or `jobs` have been generated.
class phase_source : public job_source {
public:
  /// A phase's load is a share of `capacity`, in tasks per second. Throws `std::invalid_argument`
  /// if the settings contradict themselves.
  phase_source(const workload_settings& settings, double capacity, random_stream random);

  std::optional<job> next() override;

private:
  job_generator generator_;
  arrivals arrivals_;
  std::uint64_t left_;
};

/// Bursts of jobs that are submitted together, one for each scheduler.
class burst_source : public job_source {
public:
  burst_source(const workload_settings& settings, std::uint32_t schedulers, random_stream random);

  std::optional<job> next() override;

private:
  job_generator generator_;
  std::uint64_t left_;
  std::uint64_t made_ = 0;
  std::uint32_t schedulers_;
  instant start_;
  duration interval_;
};

} // namespace troupe
