#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace troupe::testing {

/// Returns whether `counts` agree with probabilities in proportion to `weights`, by Pearson's
/// chi-square test at a level of 0.001 (critical value after Wilson and Hilferty, 1931). If a
/// weight is 0, the count must be 0.
inline bool agrees(const std::vector<std::uint64_t>& counts, const std::vector<double>& weights) {
  const auto n = static_cast<double>(std::accumulate(counts.begin(), counts.end(), 0ULL));
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  double statistic = 0;
  double freedom = -1;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double expected = n * weights.at(i) / total;
    const auto counted = static_cast<double>(counts[i]);
    if (weights[i] > 0) {
      statistic += (counted - expected) * (counted - expected) / expected;
      freedom += 1;
    } else if (counts[i] > 0) {
      return false;
    }
  }
  constexpr double normal_quantile = 3.0902; // of 0.999
  const double spread = 2 / (9 * freedom);
  const double critical = freedom * std::pow(1 - spread + normal_quantile * std::sqrt(spread), 3);
  return statistic <= critical;
}

} // namespace troupe::testing
