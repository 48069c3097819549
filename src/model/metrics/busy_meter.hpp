#pragma once

#include "model/metrics/group_counters.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace troupe {

/// Records the time of a scheduler's decisions as it passes, so that no interval gets more than its
/// length: a decision that spans intervals counts in each with the part that falls into it. A
/// decision consists of consecutive parts, each for a group of jobs.
class busy_meter {
public:
  /// Starts a decision.
  void begin(instant from) {
    from_ = from;
    parts_.clear();
    next_ = 0;
  }

  /// Adds a part that takes `time`.
  void add(std::uint32_t group, duration time) {
    if (!parts_.empty() && parts_.back().group == group)
      parts_.back().time += time;
    else
      parts_.push_back({group, time});
  }

  /// Records the time of the decision that has passed by `now`.
  void pass(instant now, group_counters& to) {
    auto passed = now - from_;
    for (; next_ < parts_.size() && passed > duration::zero(); ++next_) {
      auto& [group, time] = parts_[next_];
      const auto booked = time < passed ? time : passed;
      to.of(group).sample.busy += booked;
      from_ += booked;
      passed -= booked;
      time -= booked;
      if (time > duration::zero())
        return;
    }
  }

  /// Ends the decision: records all of its remaining time.
  void end(group_counters& to) { pass(instant::max(), to); }

  /// Aborts the decision: records the time that has passed by `now` and drops the rest.
  void give_up(instant now, group_counters& to) {
    pass(now, to);
    parts_.clear();
    next_ = 0;
  }

private:
  struct part {
    std::uint32_t group = 0;
    duration time{0}; ///< not recorded yet
  };

  instant from_{0}; ///< time before this is recorded
  std::vector<part> parts_;
  std::size_t next_ = 0; ///< the first part that is not fully recorded
};

} // namespace troupe
