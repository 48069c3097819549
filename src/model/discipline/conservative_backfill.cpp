#include "model/discipline/conservative_backfill.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

/// Returns whether there is in all what is reserved for a request, with windows in its pools.
bool is_there(const queued_request& e, const capacity_pools& pools) {
  if (pools.windows() == nullptr)
    return holds_all(pools.all(0), e.what.need);
  for (std::uint32_t p = 0; p < e.reserved.size(); ++p)
    if (e.reserved[p] > 0 && !holds_all(pools.all(p), amount_of(e.what, e.reserved[p])))
      return false;
  return true;
}

/// Returns whether what is reserved for a request stays open until its end if it starts now.
bool is_open(const queued_request& e, const capacity_pools& pools, instant now) {
  for (std::uint32_t p = 0; p < e.reserved.size(); ++p)
    if (e.reserved[p] > 0 &&
        !pools.windows()->admits(p, std::min(e.start, now), expected_end(e, now), e.what.tenant))
      return false;
  return true;
}

/// Returns whether what is reserved for a request is free now.
bool is_free(const queued_request& e, const capacity_pools& pools, const resource_sum& has_now) {
  if (pools.windows() == nullptr)
    return holds_all(has_now, e.what.need);
  for (std::uint32_t p = 0; p < e.reserved.size(); ++p)
    if (e.reserved[p] > 0 && !holds_all(pools.free(p), amount_of(e.what, e.reserved[p])))
      return false;
  return true;
}

} // namespace

// -- what there is and runs -----------------------------------------------------------------------

void conservative_backfill::change_capacity(const capacity_pools& pools, std::uint32_t pool,
                                            const resource_sum& own, const resource_sum& others,
                                            instant now) {
  const bool less = profiles_.change_capacity(pools, pool, own, others, now);
  shrunk_ = shrunk_ || less;
  may_move_ = true;
}

void conservative_backfill::begin_run(const capacity_pools::pool_run& run, instant now) {
  profiles_.take(run.pool, now, run.what.end, resource_sum{} + run.what.demand);
}

void conservative_backfill::end_run(const capacity_pools::pool_run& run, instant now) {
  if (run.what.end <= now)
    return;
  profiles_.add(run.pool, now, run.what.end, resource_sum{} + run.what.demand);
  may_move_ = true;
}

void conservative_backfill::take_back_run(const capacity_pools::pool_run& run, instant now) {
  profiles_.add(run.pool, now, run.what.end, resource_sum{} + run.what.demand);
}

// -- reservations ---------------------------------------------------------------------------------

void conservative_backfill::hold(queued_request& e, instant start) {
  e.start = start;
  soonest_ = std::min(soonest_, start);
  profiles_.take_reservation(e);
}

void conservative_backfill::admit(queued_request& added, request_line& line,
                                  const capacity_pools& pools, instant now) {
  profiles_.advance(now);
  move_forward(line, pools, now);
  reserve(added, pools, now);
}

void conservative_backfill::withdraw(const queued_request& what, instant now) {
  profiles_.advance(now);
  profiles_.add_reservation(what);
  may_move_ = true;
}

/// Makes the reservation of a request that has none.
void conservative_backfill::reserve(queued_request& e, const capacity_pools& pools, instant now) {
  if (e.what.shapes.empty())
    reserve_no_later(e, pools, now);
  else
    reserve_shape(e, pools, now);
}

/// Makes a reservation at the earliest instant, which is no later than that of the reservation that
/// was given back; then it keeps that one.
void conservative_backfill::reserve_no_later(queued_request& e, const capacity_pools& pools,
                                             instant now) {
  auto found = profiles_.first_fit(pools, e.what, now, e.start);
  if (found.at == far_future)
    return hold(e, e.start);
  e.reserved = std::move(found.counts);
  hold(e, found.at);
}

/// Returns the best of the earliest reservations of all shapes of a request that has none, and sets
/// where it is.
std::optional<shape_choice::offer> conservative_backfill::best_shape(queued_request& e,
                                                                     const capacity_pools& pools,
                                                                     instant now,
                                                                     pool_counts& where) const {
  shape_choice choice{widths_};
  for (std::size_t i = 0; i < e.what.shapes.size(); ++i) {
    mold(e.what, i);
    auto found = profiles_.first_fit(pools, e.what, now);
    choice.add(i, found.at, e.what.length());
    if (choice.best() && choice.best()->shape == i)
      where = std::move(found.counts);
  }
  return choice.best();
}

void conservative_backfill::reserve_shape(queued_request& e, const capacity_pools& pools,
                                          instant now) {
  pool_counts where;
  const auto best = best_shape(e, pools, now, where);
  mold(e.what, best ? best->shape : e.what.requested);
  e.reserved = std::move(where);
  hold(e, best ? best->start : far_future);
}

/// Makes a reservation again if there is a better one by now, or if there is less in all than it
/// asks for: what was seen of the machines may have changed.
void conservative_backfill::move_shape_forward(queued_request& e, const capacity_pools& pools,
                                               instant now) {
  if (!is_there(e, pools)) {
    profiles_.add_reservation(e);
    return reserve_shape(e, pools, now);
  }
  if (e.start <= now)
    return;
  const auto before = e.what;
  const shape_choice::offer had{0, e.start, end_after(e.start, e.what.length())};
  profiles_.add_reservation(e);
  pool_counts where;
  const auto best = best_shape(e, pools, now, where);
  const bool better = best && shape_choice{widths_}.goes_before(*best, had);
  if (better) {
    mold(e.what, best->shape);
    e.reserved = std::move(where);
  } else
    e.what = before;
  hold(e, better ? best->start : had.start);
}

/// Makes the reservations that are not due yet again, in the order of the queue.
void conservative_backfill::reserve_all_again(request_line& line, const capacity_pools& pools,
                                              instant now) {
  for (auto& e : line)
    if (e.start > now) {
      profiles_.add_reservation(e);
      e.start = far_future;
    }
  for (auto& e : line)
    if (e.start == far_future)
      reserve(e, pools, now);
}

void conservative_backfill::move_forward(request_line& line, const capacity_pools& pools,
                                         instant now) {
  if (!std::exchange(may_move_, false))
    return;
  if (std::exchange(shrunk_, false) && profiles_.promise_too_much(now))
    reserve_all_again(line, pools, now);
  for (auto& e : line) {
    if (e.start == far_future)
      reserve(e, pools, now);
    else if (!e.what.shapes.empty())
      move_shape_forward(e, pools, now);
    else if (pools.windows() != nullptr) {
      profiles_.add_reservation(e);
      reserve_no_later(e, pools, now);
    } else if (const auto earlier = profiles_.find_earlier(e, now); earlier != far_future) {
      profiles_.add_reservation(e);
      hold(e, earlier);
    }
  }
}

/// What was to start before others ended, which outlived their estimates, may reach into a window
/// now, and what was seen of the machines may have changed: it is given another reservation.
void conservative_backfill::reserve_closed_again(request_line& line, const capacity_pools& pools,
                                                 instant now) {
  if (pools.windows() == nullptr)
    return;
  for (auto& e : line)
    if (e.start <= now && (!is_there(e, pools) || !is_open(e, pools, now)))
      reserve_changed(e, pools, now, [](queued_request&) {});
}

// -- who starts -----------------------------------------------------------------------------------

std::optional<start_choice> conservative_backfill::next(request_line& line,
                                                        const capacity_pools& pools, instant now) {
  profiles_.advance(now);
  move_forward(line, pools, now);
  if (soonest_ > now && due_ == 0)
    return std::nullopt;
  reserve_closed_again(line, pools, now);
  const auto has_now = pools.free();
  auto soonest = far_future;
  std::size_t due = 0;
  // Where one that is due finds no machines, nobody passes who could be in its way.
  std::optional<instant> limit;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto& e = line[i];
    if (e.start > now) {
      soonest = std::min(soonest, e.start);
      continue;
    }
    ++due;
    if (e.no_place)
      limit = pools.next_end(now);
    else if (is_free(e, pools, has_now) && (!limit || end_after(now, e.what.length()) <= *limit))
      return start_choice{i, e.reserved};
  }
  soonest_ = soonest;
  due_ = due;
  return std::nullopt;
}

} // namespace troupe
