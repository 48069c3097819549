#pragma once

#include "jobs/job_cluster.hpp"

#include <algorithm>
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
  unsigned runs = 8; ///< of the recording, each with a seed of its own
};

/// What a cluster did, and what runs in virtual time make of the recording. Which of several
/// waiting tasks gets a core that becomes free is a matter of microseconds, so each run and the
/// cluster itself are one draw of the delays: compare the cluster with the range of the runs.
struct replay_figures {
  std::uint64_t jobs = 0;
  std::uint64_t tasks = 0;
  std::uint64_t recorded = 0; ///< tasks
  std::uint64_t replayed = 0; ///< tasks that finished in the run in which fewest did
  /// Seconds from the submission of a task's job to the task's start, sorted.
  std::vector<double> delays;
  std::vector<std::vector<double>> replayed_delays; ///< by run
};

double mean_of(const std::vector<double>& values);

/// A figure of a cluster beside that of each run of its recording.
struct replayed_figure {
  double cluster = 0;
  std::vector<double> runs; ///< sorted

  /// Returns by which part the median of the runs is above the cluster's.
  double deviation() const;

  /// Returns whether the median of the runs is not further from the cluster's figure than this part
  /// of it.
  bool agrees(double part) const;
};

/// Takes a figure from the sorted delays of the cluster and of each run.
template <class Take>
replayed_figure compare_figure(const replay_figures& figures, Take take) {
  replayed_figure of{take(figures.delays), {}};
  for (const auto& run : figures.replayed_delays)
    of.runs.push_back(take(run));
  std::ranges::sort(of.runs);
  return of;
}

/// Submits jobs at random instants to a cluster, each of a few commands that sleep for random
/// times. Records what the cluster did, and replays it. Throws
/// `std::runtime_error` if a job fails.
replay_figures try_replay(const jobs_plan& cluster, const replay_plan& plan);

} // namespace troupe::trials
