#include "model/metrics/scheduler_series.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

void scheduler_row::add(const scheduler_sample& sample) {
  queued += sample.tasks.queued;
  placed += sample.tasks.placed;
  conflicts += sample.conflicts;
  busy += sample.busy;
  age_weighted += sample.age.weighted;
  age_seconds += sample.age.seconds;
}

void scheduler_row::append(const scheduler_row& later) {
  to = later.to;
  queued = std::max(queued, later.queued);
  placed += later.placed;
  conflicts += later.conflicts;
  busy += later.busy;
  age_weighted += later.age_weighted;
  age_seconds += later.age_seconds;
}

double scheduler_row::busyness() const {
  // A late answer has the time of earlier intervals, too.
  return to > from ? std::min(1.0, to_seconds(busy) / to_seconds(to - from)) : 0;
}

void scheduler_series::append(interval_rows& to, const interval_rows& later) {
  for (const auto& row : later) {
    const auto at = std::ranges::lower_bound(to, row.scheduler, {}, &scheduler_row::scheduler);
    if (at != to.end() && at->scheduler == row.scheduler)
      at->append(row);
    else
      to.insert(at, row);
  }
}

void scheduler_series::add(std::vector<scheduler_row> interval) {
  if (interval.empty())
    return;
  std::ranges::sort(interval, {}, &scheduler_row::scheduler);
  if (intervals_.empty() || in_last_ == per_row_) {
    count_ += interval.size();
    intervals_.push_back(std::move(interval));
    in_last_ = 1;
  } else {
    count_ -= intervals_.back().size();
    append(intervals_.back(), interval);
    count_ += intervals_.back().size();
    ++in_last_;
  }
  while (count_ > limit_ && intervals_.size() > 1)
    halve();
}

void scheduler_series::halve() {
  const bool odd = intervals_.size() % 2 == 1;
  std::vector<interval_rows> fewer;
  count_ = 0;
  for (std::size_t i = 0; i < intervals_.size(); i += 2) {
    auto rows = std::move(intervals_[i]);
    if (i + 1 < intervals_.size())
      append(rows, intervals_[i + 1]);
    count_ += rows.size();
    fewer.push_back(std::move(rows));
  }
  if (!odd)
    in_last_ += per_row_;
  per_row_ *= 2;
  intervals_ = std::move(fewer);
}

std::vector<scheduler_row> scheduler_series::rows() const {
  std::vector<scheduler_row> all;
  all.reserve(count_);
  for (const auto& rows : intervals_)
    all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

} // namespace troupe
