#include "model/discipline/start_queue.hpp"

#include <algorithm>
#include <utility>

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
  if (windows_ != nullptr) {
    if (pools_now(what, now, false))
      return now;
    return std::max(first_in_runs(what, now).at, now + duration{1});
  }
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
  pool_counts where;
  for (std::size_t i = 0; i < e.what.shapes.size(); ++i) {
    mold(e.what, i);
    if (may_pass(e.what, has_now, now) && end_after(now, e.what.length()) <= limit) {
      choice.add(i, now, e.what.length());
      if (choice.best()->shape == i)
        where = chosen_;
    }
  }
  mold(e.what, choice.best() ? choice.best()->shape : e.what.requested);
  chosen_ = std::move(where);
  return choice.best().has_value();
}

/// Returns the best of the earliest reservations of all shapes of a request that has none, and sets
/// where it is.
std::optional<shape_choice::offer> start_queue::best_reservation(entry& e, instant now,
                                                                 pool_counts& where) {
  shape_choice choice{widths_};
  for (std::size_t i = 0; i < e.what.shapes.size(); ++i) {
    mold(e.what, i);
    if (windows_ == nullptr) {
      choice.add(i, pools_.front().profile.find(now, e.what.need, e.what.length()),
                 e.what.length());
      continue;
    }
    auto found = first_in_profiles(e.what, now, far_future);
    choice.add(i, found.at, e.what.length());
    if (choice.best() && choice.best()->shape == i)
      where = std::move(found.counts);
  }
  return choice.best();
}

/// Makes the reservation of a request that has none.
void start_queue::reserve_shape(entry& e, instant now) {
  pool_counts where;
  const auto best = best_reservation(e, now, where);
  mold(e.what, best ? best->shape : e.what.requested);
  if (windows_ != nullptr)
    reserved_[e.what.first] = std::move(where);
  hold(e, best ? best->start : far_future);
}

/// Makes a reservation anew if there is a better one by now, or if there is less in all than it
/// asks for: what was seen of the machines may have changed.
void start_queue::move_shape_forward(entry& e, instant now) {
  if (!is_there(e)) {
    give_back(e);
    return reserve_shape(e, now);
  }
  if (e.start <= now)
    return;
  const auto before = e.what;
  const shape_choice::offer had{0, e.start, end_after(e.start, e.what.length())};
  give_back(e);
  pool_counts where;
  const auto best = best_reservation(e, now, where);
  const bool better = best && shape_choice{widths_}.goes_before(*best, had);
  if (better)
    mold(e.what, best->shape);
  else
    e.what = before;
  if (better && windows_ != nullptr)
    reserved_[e.what.first] = std::move(where);
  hold(e, better ? best->start : had.start);
}

/// Has a moldable request that found no machines in the pools that were chosen for it look in all
/// that are open, in the same shape. Returns false if it has, or may not.
bool start_queue::look_wider(entry& e) {
  const bool passes_nobody = returned_ == 0 || discipline_ == start_discipline::conservative;
  if (windows_ == nullptr || e.what.shapes.empty() || !passes_nobody)
    return false;
  return !std::exchange(e.was_without_place, true);
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
  e.was_without_place = false;
  if (reserves)
    reserve_shape(e, now);
  if (returned_ == 0)
    changed_ = true;
  return true;
}

} // namespace troupe
