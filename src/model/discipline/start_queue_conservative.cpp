#include "model/discipline/start_queue.hpp"

#include <algorithm>

namespace troupe {

void start_queue::hold(entry& e, instant start) {
  e.start = start;
  soonest_ = std::min(soonest_, start);
  if (start != far_future)
    profile_.take(start, end_after(start, e.what.length()), e.what.need);
}

void start_queue::reserve(entry& e, instant now) {
  hold(e, profile_.find(now, e.what.need, e.what.length()));
}

void start_queue::give_back(const entry& e) {
  if (e.start != far_future)
    profile_.add(e.start, end_after(e.start, e.what.length()), e.what.need);
}

void start_queue::move_forward(instant now) {
  if (!std::exchange(may_move_, false))
    return;
  for (auto& e : entries_) {
    if (e.start == far_future) {
      reserve(e, now);
      continue;
    }
    const auto earlier = profile_.find_earlier(now, e.what.need, e.what.length(), e.start);
    if (earlier == far_future)
      continue;
    give_back(e);
    hold(e, earlier);
  }
}

std::optional<std::size_t> start_queue::next_of_conservative(instant now) {
  profile_.advance(now);
  move_forward(now);
  if (soonest_ > now && due_ == 0)
    return std::nullopt;
  const auto has_now = free();
  auto soonest = far_future;
  std::size_t due = 0;
  // Where one that is due finds no machines, nobody passes who could be in its way.
  std::optional<instant> limit;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const auto& e = entries_[i];
    if (e.start > now) {
      soonest = std::min(soonest, e.start);
      continue;
    }
    ++due;
    if (e.no_place)
      limit = runs_.next_end(now).value_or(now);
    else if (holds_all(has_now, e.what.need) &&
             (!limit || end_after(now, e.what.length()) <= *limit))
      return i;
  }
  soonest_ = soonest;
  due_ = due;
  return std::nullopt;
}

std::optional<instant> start_queue::next_due(instant now) const {
  return soonest_ > now && soonest_ < far_future ? std::optional{soonest_} : std::nullopt;
}

} // namespace troupe
