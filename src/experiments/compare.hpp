#pragma once

#include "experiments/execute.hpp"
#include "experiments/statistics.hpp"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace troupe {

/// Several configurations side by side.
struct comparison {
  struct row {
    std::string label;
    std::string value;                          ///< an expression over "{path}"
    std::vector<std::optional<estimate>> cells; ///< one for each configuration
    /// Of each configuration to the first, seed by seed; nothing for the first itself, and where
    /// either lacks the value. Equal seeds make equal work, so much of the spread over the seeds
    /// cancels.
    std::vector<std::optional<estimate>> differences{};
  };

  std::vector<std::string> names; ///< of the configurations
  std::vector<std::string> files;
  std::uint64_t seeds = 0;
  std::vector<row> rows;
  std::vector<std::string> remarks;  ///< where the configurations did not get the same work
  std::vector<std::string> problems; ///< runs that failed, self-checks that did, unknown metrics
};

/// Returns whether a mean difference is significantly not 0: whether 0 lies outside of its 95 %
/// confidence interval (the paired t test). Of a single seed, nothing is.
bool is_significant(const estimate& difference);

/// Returns a run for each of `files`, under the name that its settings give it, or its path where
/// names would not be unique. Throws `settings_error` if one cannot be used.
std::vector<planned_run> comparison_plans(std::span<const std::string> files,
                                          const std::vector<std::string>& set, std::uint64_t seeds);

/// Puts results side by side: `metrics`, each a path in the summary or an expression over
/// "{path}", or else what is shown usually, with the delay of each group where there are several. A
/// cell is empty where a configuration does not have the value.
comparison compare(std::span<const run_result> results, std::span<const std::string> metrics);

} // namespace troupe
