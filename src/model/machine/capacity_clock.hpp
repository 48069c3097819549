#pragma once

#include "model/machine/capacity_schedule.hpp"

#include <memory>
#include <utility>

namespace troupe {

/// The present capacity of a machine that follows a trace by its own clock.
class capacity_clock {
public:
  capacity_clock() = default;

  /// `whole` is the machine's capacity in the catalog, and its capacity until the first `catch_up`.
  /// `begin` may be null if the capacity never changes.
  capacity_clock(capacity_schedule schedule, std::shared_ptr<const run_begin> begin,
                 const resources& whole)
    : schedule_(std::move(schedule)), begin_(std::move(begin)), whole_(whole), has_(whole) {}

  const resources& whole() const { return whole_; }
  const resources& has() const { return has_; }

  /// Returns by how much the capacity has changed since the last call; zero if it has not.
  resources catch_up(instant now) {
    if (schedule_.empty())
      return {};
    const auto had = std::exchange(has_, schedule_.at(begin_->run_time(now), whole_));
    return has_ - had;
  }

  /// Returns the time of the next change; `instant::max()` if there is none.
  instant next(instant now) const {
    return schedule_.empty() ? instant::max()
                             : begin_->member_time(schedule_.next(begin_->run_time(now)));
  }

private:
  capacity_schedule schedule_;
  std::shared_ptr<const run_begin> begin_;
  resources whole_;
  resources has_;
};

} // namespace troupe
