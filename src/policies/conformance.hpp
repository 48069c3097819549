#pragma once

#include "policies/policy.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace troupe {

/// One requirement on every placement policy.
struct conformance_check {
  std::string name;
  bool passed = false;
  std::string detail; ///< the figures, or the first failed case
};

/// The result of the conformance check.
struct conformance_report {
  std::vector<conformance_check> checks;
  std::uint64_t decisions = 0;
  std::uint64_t overlooked = 0; ///< decisions that found no machine although one had room
  double mean_ns = 0;           ///< time per decision
  double p99_ns = 0;

  bool passed() const;
};

/// Tries the policies that `make` creates on clusters of several kinds, empty, half full and full,
/// with constraints and hidden partitions. Checks that they only pick existing machines that have
/// room and pass the filter; that no machine exceeds its capacity; that equal calls have equal
/// results; and that they accept outcomes. `seconds` is a clock in s for measuring decisions.
conformance_report check_conformance(const std::function<std::unique_ptr<placement_policy>()>& make,
                                     const std::function<double()>& seconds,
                                     std::uint64_t seed = 1);

} // namespace troupe
