#pragma once

#include <chrono>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace troupe {

/// What values a setting may have: a range for numbers and, in seconds, for durations; a list for
/// texts. Everything is allowed unless limited.
struct allowed {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool above_min = false; ///< `min` itself is excluded
  bool below_max = false; ///< `max` itself is excluded
  std::span<const std::string_view> choices{};
  bool durations = false; ///< `min` and `max` are shown as durations: "100us"

  /// Returns whether `x` is in the range; not-a-number and infinities never are.
  bool contains(double x) const;

  /// Returns whether `text` is one of the choices, or anything where there are none.
  bool contains(std::string_view text) const;

  /// Renders as "1 .. 100", "more than 0, at most 1" or "a, b or c"; empty if nothing is limited.
  std::string to_text() const;
};

constexpr allowed between(double min, double max) {
  return {.min = min, .max = max};
}

constexpr allowed at_least(double min) {
  return {.min = min};
}

constexpr allowed more_than(double min) {
  return {.min = min, .above_min = true};
}

/// Lets a duration be no shorter than `min`: what happens more often than that would keep a run
/// busy for nothing.
constexpr allowed no_shorter_than(std::chrono::nanoseconds min) {
  return {.min = std::chrono::duration<double>(min).count(), .durations = true};
}

/// Lets a text be one of `choices`, which must outlive the result.
constexpr allowed one_of(std::span<const std::string_view> choices) {
  return {.choices = choices};
}

/// Renders `x` so that reading it gives the same number again, and briefly.
std::string to_text(double x);

} // namespace troupe
