#include "report/page/runs/thin.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace troupe {

std::vector<row_bucket> buckets_of(std::size_t rows, std::size_t most) {
  const auto length = std::max<std::size_t>((rows + most - 1) / most, 1);
  std::vector<row_bucket> buckets;
  for (std::size_t at = 0; at < rows; at += length)
    buckets.push_back({at, std::min(at + length, rows)});
  return buckets;
}

bucket_values thinned(std::span<const double> values, std::span<const row_bucket> buckets) {
  constexpr auto none = std::numeric_limits<double>::quiet_NaN();
  bucket_values out;
  for (const auto& bucket : buckets) {
    double sum = 0;
    double least = none;
    double greatest = none;
    std::size_t count = 0;
    for (auto x : values.subspan(bucket.first, bucket.end - bucket.first)) {
      if (std::isnan(x))
        continue;
      sum += x;
      least = std::fmin(least, x);
      greatest = std::fmax(greatest, x);
      ++count;
    }
    out.mean.push_back(count > 0 ? sum / static_cast<double>(count) : none);
    out.min.push_back(least);
    out.max.push_back(greatest);
  }
  return out;
}

} // namespace troupe
