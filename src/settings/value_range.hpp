#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// How whole numbers stand for the values of a setting, so that steps between values are exact.
struct value_scale {
  int decimals = 0;       ///< a number n stands for n * 10^-decimals
  bool durations = false; ///< a number n stands for n nanoseconds

  /// Returns the value that `n` stands for, as a settings file has it: "12", "0.25" or "250ms".
  std::string text(std::int64_t n) const;

  /// Returns the same as a number; durations in seconds.
  double number(std::int64_t n) const;

  friend bool operator==(const value_scale&, const value_scale&) = default;
};

/// Values at equal distances: from, from + step, ... up to `to`.
struct value_range {
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::optional<std::int64_t> step; ///< as written, if it was; at least 1
  value_scale scale;
};

/// Reads "1..10", "1..10/2", "0.1..0.5/0.1" or "1s..5s/500ms"; nothing if `text` is no range of
/// numbers or durations. Throws `std::invalid_argument`, whose text says what would be right, if it
/// is one that goes down or has a step that does not fit.
std::optional<value_range> parse_range(std::string_view text);

/// Returns the number that stands for the value `text` in `range`, whose scale becomes finer where
/// the value needs it. Throws `std::invalid_argument`, whose text says what would be right, if it
/// is not of the kind of the range's values or not more than 0.
std::int64_t parse_distance(std::string_view text, value_range& range);

/// Returns the values of `range` one by one. Without a step, whole numbers are 1 apart. Throws
/// `std::invalid_argument` if others have no step, or if there are more than a million.
std::vector<std::string> values_of(const value_range& range);

} // namespace troupe
