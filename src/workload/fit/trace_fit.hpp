#pragma once

#include "settings/schema/settings.hpp"
#include "workload/formats/machine_table.hpp"

#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// The distance of a fitted workload from its trace, in one quantity.
struct fit_distance {
  std::string quantity;
  double distance = 0; ///< Kolmogorov-Smirnov
  double trace_median = 0;
  double fit_median = 0;
  double trace_mean = 0;
  double fit_mean = 0;
};

/// A workload of tables that is fitted to a trace.
struct trace_fit {
  run_settings settings;
  std::vector<fit_distance> distances;
  std::uint64_t jobs = 0;              ///< of the trace
  std::uint64_t generated = 0;         ///< of the workload, for the comparison
  std::uint64_t requests = 0;          ///< different ones in the trace
  double requests_kept = 0;            ///< share of the tasks with one of the requests kept
  std::vector<std::string> left_out{}; ///< properties of the trace that the workload lacks
};

/// Fits a workload to the jobs of a trace: phases of about equal numbers of jobs, the first of
/// which begins with the first job, at the trace's rates, with Poisson arrivals in each; quantile
/// tables of tasks per job and durations; and the most frequent requests, weighted by their share
/// of the tasks. The cluster has the machines present at the beginning of the trace, by shape; if
/// none is, those that are there when the most are; or, if `machines` is empty, enough machines for
/// the busiest phase to use 60 % of them.
///
/// The distances are between the trace and jobs that the fitted workload generates with `seed`.
/// Throws like `profile_trace`.
trace_fit fit_trace(const std::string& path, const trace_settings& settings,
                    const std::optional<machine_table>& machines, std::uint32_t phases,
                    std::uint64_t seed);

} // namespace troupe
