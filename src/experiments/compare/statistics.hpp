#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace troupe {

/// The estimate of one quantity from several independent runs.
struct estimate {
  std::size_t count = 0;
  double mean = 0;
  double stddev = 0; ///< of the sample, with n - 1; 0 for one value
  /// Half the width of the 95 % confidence interval of the mean (Student 1908); nothing for fewer
  /// than two values.
  std::optional<double> half_width{};
};

/// Returns the estimate from `values`, which are not empty and finite.
estimate estimate_of(std::span<const double> values);

/// Renders as "1.234 ± 0.041": two digits of the half width, but at most four of the mean; without
/// the half width if it has none of these digits, and like `value_text` if all values are equal.
std::string to_text(const estimate& e);

/// Renders with three significant digits; whole numbers, and all numbers from 1,000, to the unit:
/// "5,312".
std::string value_text(double x);

} // namespace troupe
