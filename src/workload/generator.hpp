#pragma once

#include "model/job_source.hpp"
#include "settings/settings.hpp"
#include "workload/arrivals.hpp"
#include "workload/request.hpp"
#include "workload/sampler.hpp"

#include <cstdint>

namespace troupe {

/// Makes jobs of one task group from the distributions that the settings describe. Number of
/// tasks, durations and requests are drawn from streams of their own: changing one of the three
/// leaves the others as they were. A job's estimate is the mean of its tasks' durations, wrong by
/// up to `estimate_error`.
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
  bool duration_per_job_;
  double estimate_error_;
  random_stream tasks_random_;
  random_stream durations_random_;
  random_stream requests_random_;
  random_stream estimates_random_;
  job_id next_id_ = 0;
};

/// Jobs that arrive phase after phase, until the last phase ends or `jobs` have been made.
class phase_source : public job_source {
public:
  /// `capacity` is what a phase's load is a share of, in tasks per second. Throws
  /// `std::invalid_argument` if the settings contradict themselves.
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
