#pragma once

#include "jobs/job_cluster.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace troupe::trials {

struct rate_plan {
  std::uint32_t commands = 5'000;   ///< `true`, in one job
  std::vector<double> cpus{1, 0.1}; ///< cores that each asks for, in one job after the other
  std::uint32_t singles = 100; ///< jobs of one command, one after the other, on an idle cluster
};

struct rate_figures {
  std::vector<double> commands_per_s; ///< from the submission to the last end, for each of `cpus`
  std::vector<double> start_ms;       ///< from each submission to the start of its command, sorted
  std::vector<double> end_ms;         ///< from each submission to its end, as a client sees it
};

/// Starts a cluster and runs commands that do nothing. Throws `std::runtime_error` if one fails.
rate_figures measure_rate(const jobs_plan& cluster, const rate_plan& plan);

/// Another program that runs commands on this host.
struct other_runner {
  std::string name;
  double commands_per_s = 0;
};

/// Runs as many `true` by xargs, and by GNU parallel if it is installed, with as many at a time as
/// this host has processors.
std::vector<other_runner> measure_others(const std::filesystem::path& directory,
                                         std::uint32_t commands);

} // namespace troupe::trials
