#pragma once

#include "experiments/execute.hpp"
#include "experiments/statistics.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// What several seeds say about a goal, an expression over the values of one run.
struct goal_report {
  bool good = false;            ///< whether it is true of the means over the seeds
  std::vector<estimate> values; ///< of each value that it names, in its order
  /// By how much it is missed, at most 0 where it is reached; nothing if the goal is not one
  /// comparison with <, <=, > or >=.
  std::optional<estimate> lack;
};

/// Throws `value_error` if a value is missing for any of `seeds`.
goal_report goal_report_of(const std::string& goal, std::span<const seed_result> seeds);

/// Returns `text` as an expression: without any braces, every name that is no function is the path
/// of a value, so that "scheduling_delay_s.p99 <= 1.5" is "{scheduling_delay_s.p99} <= 1.5".
std::string with_braces(std::string_view text);

/// Returns whether the seeds cannot tell on which side of its bound a goal lies: whether the 95 %
/// confidence interval of what it lacks has 0 within. A goal of which nothing is known to lack, or
/// of one seed only, is not undecided.
bool is_undecided(const std::optional<estimate>& lack);

/// Returns what is wrong with a goal, for the user; empty if nothing is. A goal compares values of
/// the run.
std::string fault_of_goal(const std::string& goal);

} // namespace troupe
