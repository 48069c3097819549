#pragma once

#include "model/ledgers.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace troupe {

/// Books the time that a scheduler's decisions take as it passes, so that no interval is booked
/// more than its length: a decision that goes on counts in each interval with the part that falls
/// into it. A decision consists of parts, one after the other, each for a group of jobs.
class busy_meter {
public:
  /// A decision begins.
  void begin(instant from) {
    from_ = from;
    parts_.clear();
    next_ = 0;
  }

  /// Adds a part to it that takes `time`.
  void add(std::uint32_t group, duration time) {
    if (!parts_.empty() && parts_.back().group == group)
      parts_.back().time += time;
    else
      parts_.push_back({group, time});
  }

  /// Books what has passed of it by `now`.
  void pass(instant now, ledgers& to) {
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

  /// Books all that is left of it: it is over.
  void end(ledgers& to) { pass(instant::max(), to); }

  /// Books what has passed of it by `now`; the rest does not happen.
  void give_up(instant now, ledgers& to) {
    pass(now, to);
    parts_.clear();
    next_ = 0;
  }

private:
  struct part {
    std::uint32_t group = 0;
    duration time{0}; ///< not booked yet
  };

  instant from_{0}; ///< what is booked lies before
  std::vector<part> parts_;
  std::size_t next_ = 0; ///< the first part that is not booked
};

} // namespace troupe
