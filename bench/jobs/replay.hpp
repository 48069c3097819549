#pragma once

#include "jobs/job_cluster.hpp"

#include <chrono>
#include <cstdint>
#include <vector>

namespace troupe::trials {

struct replay_plan {
  std::chrono::seconds length{600}; ///< of the submissions
  double load = 0.85;      ///< part of the cores of all machines that is in use, on average
  double most_tasks = 10;  ///< of a job
  unsigned gang_every = 0; ///< each job with this number is a gang; 0: none is
  std::chrono::milliseconds shortest{100};
  std::chrono::milliseconds longest{2'000};
  std::uint64_t seed = 1;
};

/// What a cluster did, and what a run in virtual time makes of the recording.
struct replay_figures {
  std::uint64_t jobs = 0;
  std::uint64_t tasks = 0;
  std::uint64_t recorded = 0; ///< tasks
  std::uint64_t replayed = 0; ///< tasks that finished in the run
  /// Seconds from the submission of a task's job to the task's start, sorted.
  std::vector<double> delays;
  std::vector<double> replayed_delays;
};

/// Returns by which part a value of the run is above that of the cluster.
double deviation(double cluster, double run);

double mean_of(const std::vector<double>& values);

/// Submits jobs at random instants to a cluster, each of a few commands that sleep for random
/// times. Records what the cluster did, and replays it. Throws
/// `std::runtime_error` if a job fails.
replay_figures try_replay(const jobs_plan& cluster, const replay_plan& plan);

} // namespace troupe::trials
