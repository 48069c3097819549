#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace troupe::trials {

/// Returns the value that a part `q` of the sorted values is below; 0 if there are none.
inline double quantile_of(const std::vector<double>& sorted, double q) {
  if (sorted.empty())
    return 0;
  const auto index = static_cast<std::size_t>(q * static_cast<double>(sorted.size()));
  return sorted[std::min(index, sorted.size() - 1)];
}

} // namespace troupe::trials
