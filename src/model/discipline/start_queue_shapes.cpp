#include "model/discipline/start_queue.hpp"

#include <algorithm>

// Part of `start_queue`: moldable requests, which are given one of their shapes.
namespace troupe {

/// Returns the rank of a request, in the shape that was requested.
start_rank start_queue::rank_as_requested(const start_request& what, instant now) const {
  if (what.shapes.empty())
    return rank_of(what, by_, now);
  auto as_requested = what;
  mold(as_requested, what.requested);
  return rank_of(as_requested, by_, now);
}

/// Returns when a request is expected to fit, if nobody else waits. If that is not now, it is after
/// now: who outlives an estimate has not ended yet.
instant start_queue::first_start(const start_request& what, instant now) const {
  auto free_then = free();
  if (holds_all(free_then, what.need))
    return now;
  const auto& of = pools_.front();
  const auto others_end = end_after(now, others_hold_for());
  bool others_count = of.others != resource_sum{};
  const auto fits_with = [&](const resource_sum& more) {
    free_then += more;
    return holds_all(free_then, what.need);
  };
  for (const auto& [at, released] : of.runs.ends()) {
    if (others_count && others_end < at) {
      others_count = false;
      if (fits_with(of.others))
        return others_end;
    }
    if (fits_with(released.amount))
      return std::max(at, now + duration{1});
  }
  return others_count && fits_with(of.others) ? others_end : far_future;
}

/// Gives the first request the shape in which it is to start next.
void start_queue::shape_first(instant now) {
  auto& first = entries_.front();
  if (first.what.shapes.empty() || first.no_place)
    return;
  shape_choice choice{widths_};
  auto as = first.what;
  for (std::size_t i = 0; i < first.what.shapes.size(); ++i) {
    mold(as, i);
    choice.add(i, first_start(as, now), as.length());
  }
  const auto before = first.what.tasks;
  mold(first.what, choice.best() ? choice.best()->shape : first.what.requested);
  changed_ = changed_ || first.what.tasks != before;
}

/// Gives a request behind the first one the shape in which it may start now. Returns false if there
/// is none.
bool start_queue::shape_to_pass(entry& e, const resource_sum& has_now, instant now) {
  auto limit = far_future;
  if (widths_ == width_rule::earliest_finish && shadow_ < far_future) {
    mold(e.what, e.what.requested);
    limit = end_after(shadow_, e.what.length());
  }
  shape_choice choice{widths_};
  for (std::size_t i = 0; i < e.what.shapes.size(); ++i) {
    mold(e.what, i);
    const auto end = end_after(now, e.what.length());
    if (holds_all(has_now, e.what.need) && end <= limit &&
        (end <= shadow_ || holds_all(spare_, e.what.need)))
      choice.add(i, now, e.what.length());
  }
  mold(e.what, choice.best() ? choice.best()->shape : e.what.requested);
  return choice.best().has_value();
}

/// Makes the reservation of a request that has none.
void start_queue::reserve_shape(entry& e, instant now) {
  shape_choice choice{widths_};
  for (std::size_t i = 0; i < e.what.shapes.size(); ++i) {
    mold(e.what, i);
    choice.add(i, pools_.front().profile.find(now, e.what.need, e.what.length()), e.what.length());
  }
  mold(e.what, choice.best() ? choice.best()->shape : e.what.requested);
  hold(e, choice.best() ? choice.best()->start : far_future);
}

/// Makes a reservation anew if there is a better one by now, or if there is less in all than it
/// asks for: what was seen of the machines may have changed.
void start_queue::move_shape_forward(entry& e, instant now) {
  const auto& of = pools_.front();
  if (!holds_all(resource_sum{of.capacity} += of.others, e.what.need)) {
    give_back(e);
    return reserve_shape(e, now);
  }
  if (e.start <= now)
    return;
  const auto before = e.what;
  const shape_choice::offer had{0, e.start, end_after(e.start, e.what.length())};
  give_back(e);
  shape_choice choice{widths_};
  for (std::size_t i = 0; i < e.what.shapes.size(); ++i) {
    mold(e.what, i);
    choice.add(i, pools_.front().profile.find(now, e.what.need, e.what.length()), e.what.length());
  }
  const bool better = choice.best() && choice.goes_before(*choice.best(), had);
  if (better)
    mold(e.what, choice.best()->shape);
  else
    e.what = before;
  hold(e, better ? choice.best()->start : had.start);
}

/// Takes the shape that was tried, and all wider ones, from a request for which no machines were
/// found although there is enough in all: tasks that each need several units may never fit in that
/// number. Returns false if it has no narrower shape.
bool start_queue::make_narrower(entry& e, instant now) {
  auto& shapes = e.what.shapes;
  const auto tried = e.what.tasks;
  if (shapes.empty() || tried <= shapes.front().tasks)
    return false;
  const bool reserves = discipline_ == start_discipline::conservative;
  if (reserves)
    give_back(e);
  while (shapes.back().tasks >= tried)
    shapes.pop_back();
  e.what.requested = std::min(e.what.requested, static_cast<std::uint32_t>(shapes.size()) - 1);
  mold(e.what, e.what.requested);
  if (reserves)
    reserve_shape(e, now);
  if (returned_ == 0)
    changed_ = true;
  return true;
}

} // namespace troupe
