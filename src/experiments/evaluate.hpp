#pragma once

#include "experiments/execute.hpp"
#include "experiments/expression.hpp"
#include "experiments/statistics.hpp"

#include <span>
#include <string>
#include <vector>

namespace troupe {

/// Returns the values of `e` over the results of several runs, one for each seed that all of the
/// runs it names have; exactly one where it names nothing but values found by searches, or nothing
/// at all. "{run: found}" is the value that a search has found. A reference without a run means
/// `self`. Throws `value_error` if a value is missing for any seed, naming run, seed and path.
std::vector<double> values_of(const expression& e, std::span<const run_result> runs,
                              const run_result* self = nullptr);

/// What became of an expectation.
struct verdict {
  bool passed = false;
  bool skipped = false;         ///< a run that it needs was left out
  std::vector<estimate> values; ///< one for each expression; empty if one has no value
  std::optional<double> target; ///< what the value is to be within reach of
  std::string why;              ///< of a failure; else empty
};

/// Holds `e` against what the runs gave. `left_out` names the runs that were not to be run.
verdict judge(const expectation& e, std::span<const run_result> runs,
              std::span<const std::string> left_out = {});

} // namespace troupe
