#include "model/discipline/start_queue.hpp"

#include <algorithm>

namespace troupe {

void start_queue::hold(entry& e, instant start) {
  e.start = start;
  soonest_ = std::min(soonest_, start);
  if (start == far_future)
    return;
  if (windows_ != nullptr)
    add_to_profiles(e, -1);
  else
    pools_.front().profile.take(start, end_after(start, e.what.length()), e.what.need);
}

void start_queue::reserve(entry& e, instant now) {
  if (!e.what.shapes.empty())
    reserve_shape(e, now);
  else if (windows_ != nullptr)
    hold_in_pools(e, now);
  else
    hold(e, pools_.front().profile.find(now, e.what.need, e.what.length()));
}

void start_queue::give_back(const entry& e) {
  if (e.start == far_future)
    return;
  if (windows_ != nullptr)
    add_to_profiles(e, 1);
  else
    pools_.front().profile.add(e.start, end_after(e.start, e.what.length()), e.what.need);
}

/// Returns whether runs and reservations take more than there is expected to be.
bool start_queue::promises_too_much(instant now) const {
  return std::ranges::any_of(pools_, [&](const machine_pool& of) {
    return !holds_all(of.profile.least(now, far_future), {});
  });
}

/// Makes the reservations that are not due yet anew, in the order of the queue.
void start_queue::reserve_anew(instant now) {
  for (auto& e : entries_)
    if (e.start > now) {
      give_back(e);
      e.start = far_future;
    }
  for (auto& e : entries_)
    if (e.start == far_future)
      reserve(e, now);
}

void start_queue::move_forward(instant now) {
  if (!std::exchange(may_move_, false))
    return;
  if (std::exchange(shrunk_, false) && promises_too_much(now))
    reserve_anew(now);
  for (auto& e : entries_) {
    if (e.start == far_future) {
      reserve(e, now);
      continue;
    }
    if (!e.what.shapes.empty()) {
      move_shape_forward(e, now);
      continue;
    }
    if (windows_ != nullptr) {
      give_back(e);
      hold_in_pools(e, now);
      continue;
    }
    const auto earlier =
      pools_.front().profile.find_earlier(now, e.what.need, e.what.length(), e.start);
    if (earlier == far_future)
      continue;
    give_back(e);
    hold(e, earlier);
  }
}

std::optional<std::size_t> start_queue::next_of_conservative(instant now) {
  for (auto& of : pools_)
    of.profile.advance(now);
  move_forward(now);
  if (soonest_ > now && due_ == 0)
    return std::nullopt;
  reserve_closed_again(now);
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
      limit = next_end(now);
    else if ((windows_ != nullptr ? fits_reserved(e) : holds_all(has_now, e.what.need)) &&
             (!limit || end_after(now, e.what.length()) <= *limit))
      return i;
  }
  soonest_ = soonest;
  due_ = due;
  return std::nullopt;
}

} // namespace troupe
