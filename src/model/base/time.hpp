#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace troupe {

/// A span of time. Everything in Troupe counts whole nanoseconds.
using duration = std::chrono::nanoseconds;

/// A point in time, counted from the start of the run. The model never reads a clock: the caller
/// passes the instant.
using instant = std::chrono::nanoseconds;

/// Returns `d` in seconds.
constexpr double to_seconds(duration d) {
  return static_cast<double>(d.count()) / 1e9;
}

/// Returns the whole nanosecond nearest to `seconds`, which must be finite and within +-292 years.
constexpr duration from_seconds(double seconds) {
  const double nanos = seconds * 1e9;
  return duration{static_cast<std::int64_t>(nanos < 0 ? nanos - 0.5 : nanos + 0.5)};
}

/// Renders `d` in the largest unit that divides it: "5s", "250ms", "1500us", "7ns", "0s".
std::string to_string(duration d);

} // namespace troupe
