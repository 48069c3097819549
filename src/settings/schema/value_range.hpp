#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// The mapping of whole numbers to the values of a setting, which keeps steps between values exact.
struct value_scale {
  int decimals = 0;       ///< a number n means n * 10^-decimals
  bool durations = false; ///< a number n means n nanoseconds

  /// Returns the value of `n` in the format of a settings file: "12", "0.25" or "250ms".
  std::string text(std::int64_t n) const;

  /// Returns the value as a number; durations are in seconds.
  double number(std::int64_t n) const;

  friend bool operator==(const value_scale&, const value_scale&) = default;
};

/// Values at equal distances: from, from + step, ... up to `to`.
struct value_range {
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::optional<std::int64_t> step; ///< as given, if at all; at least 1
  value_scale scale;
};

/// Reads "1..10", "1..10/2", "0.1..0.5/0.1" or "1s..5s/500ms"; nothing if `text` is not a range of
/// numbers or durations. Throws `std::invalid_argument` with the expected form if the range
/// descends or its step does not fit.
std::optional<value_range> parse_range(std::string_view text);

/// Returns the number for the value `text` in `range`, and refines the scale of `range` if the
/// value requires it. Throws `std::invalid_argument` with the expected form if the value has
/// another type than the values of the range or is not above 0.
std::int64_t parse_distance(std::string_view text, value_range& range);

/// Returns all values of `range`. The default step of whole numbers is 1. Throws
/// `std::invalid_argument` if a range of other values has no step, or if there are more than a
/// million values.
std::vector<std::string> values_of(const value_range& range);

} // namespace troupe
