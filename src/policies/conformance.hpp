#pragma once

#include "policies/policy.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace troupe {

/// One thing that every placement policy must keep to.
struct conformance_check {
  std::string name;
  bool passed = false;
  std::string detail; ///< the figures, or the first case that failed
};

/// What the conformance check found.
struct conformance_report {
  std::vector<conformance_check> checks;
  std::uint64_t decisions = 0;
  std::uint64_t overlooked = 0; ///< decisions that found no machine where there was one
  double mean_ns = 0;           ///< time per decision
  double p99_ns = 0;

  bool passed() const;
};

/// Tries the policies that `make` makes on clusters of several kinds, empty, half full and full,
/// with constraints and hidden partitions, and checks that they only pick machines that are there,
/// have room and pass the filter; that no machine is filled beyond its capacity; that equal calls
/// have equal results; and that outcomes can be told to them. `seconds` is a clock to measure
/// decisions by, in s.
conformance_report check_conformance(const std::function<std::unique_ptr<placement_policy>()>& make,
                                     const std::function<double()>& seconds,
                                     std::uint64_t seed = 1);

} // namespace troupe
