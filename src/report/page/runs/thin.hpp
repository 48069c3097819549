#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace troupe {

/// Consecutive rows that a plot shows as one point.
struct row_bucket {
  std::size_t first = 0;
  std::size_t end = 0; ///< one past the last
};

/// Divides `rows` rows into at most `most` buckets of equal numbers of rows, of which the last may
/// have fewer. `most` must not be 0.
std::vector<row_bucket> buckets_of(std::size_t rows, std::size_t most);

/// The values of a column in buckets; NaN where a bucket has none.
struct bucket_values {
  std::vector<double> mean;
  std::vector<double> min;
  std::vector<double> max;
};

/// Returns these for the values of a column, of which some may be NaN.
bucket_values thinned(std::span<const double> values, std::span<const row_bucket> buckets);

} // namespace troupe
