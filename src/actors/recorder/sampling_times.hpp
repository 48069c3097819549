#pragma once

#include "model/base/time.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace troupe {

/// When samples are due: at the multiples of an interval, and at some instants within intervals.
class sampling_times {
public:
  struct due_time {
    instant at{0};
    bool within = false; ///< an interval
  };

  sampling_times() = default;

  /// `within` is in order.
  sampling_times(duration interval, std::vector<instant> within)
    : interval_(interval), within_(std::move(within)) {}

  /// Returns the next one.
  due_time next() {
    const instant tick = interval_ * (ticks_ + 1);
    while (passed_ < within_.size() && within_[passed_] <= last_)
      ++passed_;
    const bool within = passed_ < within_.size() && within_[passed_] < tick;
    if (!within)
      ++ticks_;
    last_ = within ? within_[passed_] : tick;
    return {last_, within};
  }

private:
  duration interval_{0};
  std::vector<instant> within_;
  std::int64_t ticks_ = 0;
  std::size_t passed_ = 0;
  instant last_{0};
};

} // namespace troupe
