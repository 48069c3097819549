#pragma once

#include "experiments/compare/statistics.hpp"
#include "experiments/expectations/expression.hpp"
#include "experiments/processes/execute.hpp"

#include <span>
#include <string>
#include <vector>

namespace troupe {

/// Returns the values of `e` over the results of several runs, one for each seed that all runs
/// named in `e` have. Returns exactly one value if `e` names only values found by searches, or no
/// values. "{run: found}" is the value that a search has found. A reference without a run means
/// `self`. Throws `value_error` if a value is missing for any seed, naming run, seed and path.
std::vector<double> values_of(const expression& e, std::span<const run_result> runs,
                              const run_result* self = nullptr);

/// The verdict on an expectation.
struct verdict {
  bool passed = false;
  bool skipped = false;         ///< a run that it needs was not run
  std::vector<estimate> values; ///< one for each expression; empty if one has no value
  std::optional<double> target; ///< the value to which `within` refers
  std::string why;              ///< the reason of a failure; else empty
};

/// Judges `e` by the results of the runs. `left_out` names the runs that were excluded.
verdict judge(const expectation& e, std::span<const run_result> runs,
              std::span<const std::string> left_out = {});

} // namespace troupe
