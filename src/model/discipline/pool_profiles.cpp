#include "model/discipline/pool_profiles.hpp"

#include <algorithm>

namespace troupe {

namespace {

/// Calls `visit(pool, until, amount)` for each part of a reservation.
template <class Visit>
void visit_parts(const queued_request& of, Visit visit) {
  if (of.start == far_future)
    return;
  const auto until = end_after(of.start, of.what.length());
  if (of.reserved.empty())
    return visit(0U, until, of.what.need);
  for (std::uint32_t p = 0; p < of.reserved.size(); ++p)
    if (of.reserved[p] > 0)
      visit(p, until, amount_of(of.what, of.reserved[p]));
}

} // namespace

pool_profiles::pool_profiles(const capacity_pools& pools, std::span<const resource> kinds)
  : pools_(pools.size(), profiled_pool{availability_profile{kinds}}) {}

void pool_profiles::advance(instant now) {
  for (auto& of : pools_)
    of.profile.advance(now);
}

bool pool_profiles::change_capacity(const capacity_pools& pools, std::uint32_t pool,
                                    const resource_sum& own, const resource_sum& others,
                                    instant now) {
  auto& of = pools_[pool];
  of.profile.advance(now);
  of.profile.add(now, of.others_until, pools.others(pool));
  auto change = resource_sum{own} += others;
  change -= pools.all(pool);
  of.profile.add(now, far_future, change);
  if (others != resource_sum{}) {
    of.others_until = end_after(now, pools.others_hold_for());
    of.profile.take(now, of.others_until, others);
  }
  return !holds_all(change, {});
}

void pool_profiles::take_reservation(const queued_request& of) {
  visit_parts(of, [&](std::uint32_t pool, instant until, const resource_sum& amount) {
    take(pool, of.start, until, amount);
  });
}

void pool_profiles::add_reservation(const queued_request& of) {
  visit_parts(of, [&](std::uint32_t pool, instant until, const resource_sum& amount) {
    add(pool, of.start, until, amount);
  });
}

pool_start pool_profiles::first_fit(const capacity_pools& pools, const start_request& what,
                                    instant from, instant before) const {
  if (pools.windows() == nullptr)
    return {pools_.front().profile.find(from, what.need, what.length(), before)};
  for (auto at = from; at < before;) {
    const auto until = end_after(at, what.length());
    if (auto found = pools.choose(what, at, until, [&](auto p) {
          return tasks_in(pools_[p].profile.least(at, until), what);
        }))
      return {at, *std::move(found)};
    auto next = pools.windows()->next_end(at);
    for (const auto& of : pools_)
      next = std::min(next, of.profile.next_step(at));
    at = next;
  }
  return {};
}

bool pool_profiles::promise_too_much(instant now) const {
  return std::ranges::any_of(pools_, [&](const profiled_pool& of) {
    return !holds_all(of.profile.least(now, far_future), {});
  });
}

} // namespace troupe
