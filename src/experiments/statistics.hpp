#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace troupe {

/// What several independent runs say about one quantity.
struct estimate {
  std::size_t count = 0;
  double mean = 0;
  double stddev = 0; ///< of the sample, with n - 1; 0 for one value
  /// Half the width of the 95 % confidence interval of the mean, after Student (1908); nothing for
  /// fewer than two values.
  std::optional<double> half_width{};
};

/// Returns the estimate from `values`, which are not empty and finite.
estimate estimate_of(std::span<const double> values);

/// Renders as "1.234 ± 0.041": two digits of the half width, but at most four of the mean; without
/// the half width if it has none of these digits, and as `value_text` does where all values are the
/// same.
std::string to_text(const estimate& e);

/// Renders with three significant digits, but whole numbers, and all from 1,000, to the unit:
/// "5,312".
std::string value_text(double x);

} // namespace troupe
