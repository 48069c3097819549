#include "workload/fit/ks_distance.hpp"

#include <algorithm>
#include <cmath>

namespace troupe {

double ks_distance(const distribution& a, const distribution& b) {
  if (a.empty() || b.empty())
    return a.empty() && b.empty() ? 0 : 1;
  const auto x = a.bins();
  const auto y = b.bins();
  double in_a = 0;
  double in_b = 0;
  double greatest = 0;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < x.size() || j < y.size()) {
    const auto bin = std::min(i < x.size() ? x[i].first : distribution::bin_count,
                              j < y.size() ? y[j].first : distribution::bin_count);
    if (i < x.size() && x[i].first == bin)
      in_a += static_cast<double>(x[i++].second);
    if (j < y.size() && y[j].first == bin)
      in_b += static_cast<double>(y[j++].second);
    greatest = std::max(greatest, std::abs(in_a / static_cast<double>(a.count()) -
                                           in_b / static_cast<double>(b.count())));
  }
  return greatest;
}

} // namespace troupe
