#pragma once

#include "model/base/time.hpp"

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

/// Common parts of the tables of Google's cluster trace of 2011 (Reiss, Wilkes, Hellerstein: Google
/// cluster-usage traces: format and schema).
namespace troupe::google2011 {

/// The events of a job or a task.
enum class event : std::uint8_t {
  submit,
  schedule,
  evict,
  fail,
  finish,
  kill,
  lost,
  update_pending,
  update_running,
};

inline constexpr std::int64_t events = 9;

inline constexpr const char* event_names[] = {"SUBMIT", "SCHEDULE",       "EVICT",
                                              "FAIL",   "FINISH",         "KILL",
                                              "LOST",   "UPDATE_PENDING", "UPDATE_RUNNING"};

/// The events of a machine.
enum class machine_event : std::uint8_t { add, remove, update };

inline constexpr const char* machine_event_names[] = {"ADD", "REMOVE", "UPDATE"};

/// The time of the trace's clock, in microseconds, at the beginning of its window; 0 means all
/// times before it.
inline constexpr std::int64_t window_begins = 600'000'000;

/// Stands for all times after the window.
inline constexpr std::int64_t after_window = 9'223'372'036'854'775'807;

/// The number of units in the largest machine: a share of 1 means 1,000,000 milli-CPU, and MiB.
inline constexpr double units = 1'000'000;

/// Returns a time of the trace in microseconds, or nothing if the field has none. A valid time is a
/// whole number of up to 1e15, which is 1e9 s, or `after_window`.
inline std::optional<std::int64_t> to_time(std::string_view field) {
  std::int64_t time = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), time);
  const bool known = (time >= 0 && time <= 1'000'000'000'000'000) || time == after_window;
  if (error != std::errc{} || end != field.data() + field.size() || !known)
    return std::nullopt;
  return time;
}

/// Returns the time since the beginning of the window; negative before it.
inline duration since_begin(std::int64_t microseconds) {
  return std::chrono::microseconds{microseconds - window_begins};
}

/// Returns a share of the largest machine in whole units, or nothing if the field has no number in
/// 0 .. 1000.
inline std::optional<std::int32_t> to_units(std::string_view field) {
  double x = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), x);
  if (error != std::errc{} || end != field.data() + field.size() || !(x >= 0 && x <= 1000))
    return std::nullopt;
  return static_cast<std::int32_t>(x * units + 0.5);
}

} // namespace troupe::google2011
