#pragma once

#include "settings/settings.hpp"
#include "workload/machine_table.hpp"

#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// How far a fitted workload is from its trace, in one quantity.
struct fit_distance {
  std::string quantity;
  double distance = 0; ///< Kolmogorov-Smirnov
  double trace_median = 0;
  double fit_median = 0;
  double trace_mean = 0;
  double fit_mean = 0;
};

/// A workload of tables that stands for a trace.
struct trace_fit {
  run_settings settings;
  std::vector<fit_distance> distances;
  std::uint64_t jobs = 0;              ///< of the trace
  std::uint64_t generated = 0;         ///< of the workload, that were compared
  std::uint64_t requests = 0;          ///< different ones in the trace
  double requests_kept = 0;            ///< share of the tasks that ask for one of those kept
  std::vector<std::string> left_out{}; ///< what of the trace the workload does not have
};

/// Fits a workload to the jobs of a trace: phases of about equally many jobs, at the trace's
/// rates, jobs arriving as in a Poisson process within each; quantile tables of tasks per job and
/// durations; the most frequent requests by the share of tasks that ask for them. The cluster has
/// the machines of the trace that are there at its beginning, by shape, or, where `machines` is
/// empty, enough for the busiest phase to use 60 % of them.
///
/// The distances are between the trace and jobs that the fitted workload generates with `seed`.
/// Throws as `profile_trace` does.
trace_fit fit_trace(const std::string& path, const trace_settings& settings,
                    const std::optional<machine_table>& machines, std::uint32_t phases,
                    std::uint64_t seed);

} // namespace troupe
