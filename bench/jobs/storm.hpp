#pragma once

#include "failures/fault_row.hpp"
#include "jobs/job_cluster.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace troupe::trials {

/// A fault of a node, which ends after a time.
struct storm_strike {
  fault_action action;
  std::string node; ///< empty: the machine that runs the first task
  std::chrono::milliseconds lasts;
};

/// Jobs with short and long tasks, gangs and dependencies, while every kind of node is killed,
/// frozen and cut off in turn, and clients set the policies of schedulers.
struct storm_plan {
  std::uint32_t tasks = 5'000; ///< about
  std::chrono::milliseconds shortest{100};
  std::chrono::milliseconds longest{5'000};
  std::chrono::milliseconds lease{8'000}; ///< of the tasks, as in a job file
  std::chrono::milliseconds pause{3'000}; ///< between the end of a fault and the next one
  std::uint32_t faults = 1'000'000;       ///< at most; no more once all jobs are over
  /// The first of these, once the command of the first task runs; those that follow are drawn.
  std::vector<storm_strike> first{};
  std::uint64_t seed = 1;
};

struct storm_figures {
  std::uint32_t faults = 0;
  std::uint64_t jobs = 0;
  std::uint64_t tasks = 0;
  std::uint64_t succeeded = 0; ///< tasks, by the store
  std::uint64_t attempts = 0;  ///< by the store
  std::uint64_t started = 0;   ///< attempts that have left a mark
  std::uint64_t lost = 0;      ///< tasks that succeeded by the store, and have not run to their end
  std::uint64_t together = 0;  ///< attempts that have met another one of their task
  std::uint64_t repeated = 0;  ///< attempts that have begun twice
  std::uint64_t unknown = 0;   ///< attempts that ran and are not in the store
  std::uint64_t out_of_order = 0;          ///< tasks that ran before those that they wait for
  std::uint32_t orders = 0;                ///< for policies, that were answered
  std::vector<std::string> other_policies; ///< than those ordered last, at the end
  std::vector<std::string> damage;         ///< of the store
};

/// Runs the storm until all jobs are over. Throws `std::runtime_error` if an expected state does
/// not come.
storm_figures try_storm(const jobs_plan& cluster, const storm_plan& plan);

/// Returns whether nothing was lost, nothing ran twice at a time, and all orders count.
bool is_good(const storm_figures& f);

} // namespace troupe::trials
