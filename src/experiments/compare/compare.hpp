#pragma once

#include "experiments/compare/statistics.hpp"
#include "experiments/processes/execute.hpp"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace troupe {

/// A comparison of several configurations.
struct comparison {
  struct row {
    std::string label;
    std::string value;                          ///< an expression over "{path}"
    std::vector<std::optional<estimate>> cells; ///< one for each configuration
    /// The difference of each configuration to the first, paired by seed; nothing for the first
    /// itself, and if either lacks the value. Equal seeds give equal workloads, so most of the
    /// variation between seeds cancels.
    std::vector<std::optional<estimate>> differences{};
  };

  std::vector<std::string> names; ///< of the configurations
  std::vector<std::string> files;
  std::uint64_t seeds = 0;
  std::vector<row> rows;
  std::vector<std::string> remarks;  ///< configurations with different workloads
  std::vector<std::string> problems; ///< failed runs, failed self-checks, unknown metrics
};

/// Returns whether a mean difference is significantly not 0: whether 0 lies outside its 95 %
/// confidence interval (the paired t test). With a single seed no difference is significant.
bool is_significant(const estimate& difference);

/// Returns a run for each of `files`, named as in its settings, or by its path if names would not
/// be unique, each with a folder of its own, which is a plain name. Throws `settings_error` if a
/// file is invalid.
std::vector<planned_run> comparison_plans(std::span<const std::string> files,
                                          const std::vector<std::string>& set, std::uint64_t seeds);

/// Compares results by `metrics`, each a path in the summary or an expression over "{path}".
/// Without metrics it uses the default ones, with the delay of each group if there are several. A
/// cell is empty if a configuration does not have the value.
comparison compare(std::span<const run_result> results, std::span<const std::string> metrics);

} // namespace troupe
