#pragma once

#include "experiments/compare/statistics.hpp"
#include "experiments/processes/execute.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// The result of several seeds for a goal, an expression over the values of one run.
struct goal_report {
  bool good = false;            ///< whether it holds for the means over the seeds
  std::vector<estimate> values; ///< of each value that the goal names, in its order
  /// The distance to the goal, at most 0 if it is met; nothing if the goal is not a single
  /// comparison with <, <=, > or >=.
  std::optional<estimate> lack;
};

/// Throws `value_error` if a value is missing for any of `seeds`.
goal_report goal_report_of(const std::string& goal, std::span<const seed_result> seeds);

/// Returns `text` as an expression: if it has no braces, every name that is not a function is the
/// path of a value: "scheduling_delay_s.p99 <= 1.5" means "{scheduling_delay_s.p99} <= 1.5".
std::string with_braces(std::string_view text);

/// Returns whether the seeds leave a goal undecided, that is, whether the 95 % confidence interval
/// of the distance to it includes 0. A goal without a distance, or with one seed only, is not
/// undecided.
bool is_undecided(const std::optional<estimate>& lack);

/// Returns why a goal is invalid, for the user; empty if it is valid. A goal compares values of the
/// run.
std::string fault_of_goal(const std::string& goal);

} // namespace troupe
