#pragma once

#include "settings/schema/choices.hpp"

#include <chrono>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace troupe {

/// The allowed values of a setting: a range for numbers and, in seconds, for durations; a list for
/// texts. Without limits every value is allowed.
struct allowed {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool above_min = false; ///< `min` itself is excluded
  bool below_max = false; ///< `max` itself is excluded
  std::span<const std::string_view> choices{};
  bool durations = false; ///< `min` and `max` are shown as durations: "100us"

  /// Returns whether `x` is in the range; NaN and infinities never are.
  bool contains(double x) const;

  /// Returns whether `text` is one of the choices; if there are none, every text is allowed.
  bool contains(std::string_view text) const;

  /// Renders as "1 .. 100", "more than 0, at most 1" or "a, b or c"; empty without limits.
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

/// Limits a duration to `min` or more: shorter intervals would keep a run busy to no purpose.
constexpr allowed no_shorter_than(std::chrono::nanoseconds min) {
  return {.min = std::chrono::duration<double>(min).count(), .durations = true};
}

/// Limits a text to one of `choices`, which must outlive the result.
constexpr allowed one_of(std::span<const std::string_view> choices) {
  return {.choices = choices};
}

/// Lets a setting be any value of its enum.
template <choice Enum>
constexpr allowed one_of() {
  return one_of(choice_names<Enum>::value);
}

/// The names of some values of an enum.
template <auto... Values>
inline constexpr std::array<std::string_view, sizeof...(Values)> value_names{name_of(Values)...};

/// Lets a setting be one of some values of an enum.
template <auto First, decltype(First)... Others>
constexpr allowed one_of() {
  return one_of(value_names<First, Others...>);
}

/// Renders `x` in the shortest form that reads back as the same number.
std::string to_text(double x);

} // namespace troupe
