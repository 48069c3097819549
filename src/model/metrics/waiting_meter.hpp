#pragma once

#include "model/base/time.hpp"

#include <algorithm>
#include <cstdint>

namespace troupe {

/// Integrates the number of waiting tasks over time. Changes may be reported late.
class waiting_meter {
public:
  /// Excludes the time before `begin`, which another meter has counted.
  explicit waiting_meter(instant begin = instant{0}) : begin_(begin), until_(begin) {}

  /// Adds `tasks`, which may be negative, to the waiting tasks from `at` on.
  void change(instant at, std::int64_t tasks) {
    at = std::max(at, begin_);
    advance(std::max(at, until_));
    integral_ += static_cast<double>(tasks) * to_seconds(until_ - at);
    tasks_ += tasks;
  }

  std::int64_t tasks() const { return tasks_; }

  /// Returns the integral since the last call, until `now`, in tasks times seconds. It includes
  /// late reports about earlier times.
  double take(instant now) {
    advance(std::max(now, until_));
    const auto all = integral_;
    integral_ = 0;
    return all;
  }

private:
  void advance(instant to) {
    integral_ += static_cast<double>(tasks_) * to_seconds(to - until_);
    until_ = to;
  }

  instant begin_;
  instant until_;
  std::int64_t tasks_ = 0;
  double integral_ = 0;
};

} // namespace troupe
