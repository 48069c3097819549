#include "model/discipline/easy_backfill.hpp"

#include "model/discipline/shape_choice.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

void easy_backfill::added(std::size_t index) {
  if (index >= looked_at_)
    return;
  looked_at_ = index;
  changed_ = changed_ || index == 0;
}

void easy_backfill::erased(std::size_t index) {
  changed_ = changed_ || index == 0;
  if (index < looked_at_)
    --looked_at_;
}

void easy_backfill::started(const queued_request& what, const start_choice& as, instant now) {
  if (as.index == 0 || end_after(now, what.what.length()) <= shadow_)
    return;
  spare_ -= what.what.need;
  for (std::size_t p = 0; p < spares_.size(); ++p)
    spares_[p] -= amount_of(what.what, as.where[p]);
}

/// Keeps what was promised to the first request, where the ends of others are only guessed. Returns
/// false if the instant that was found is to hold.
bool easy_backfill::keep_promise(const start_request& first, const capacity_pools& pools,
                                 instant now) {
  if (promised_to_ != first.first || shadow_ < promise_) {
    promised_to_ = first.first;
    promise_ = shadow_;
    return false;
  }
  if (promise_ >= shadow_ || !pools.any_others())
    return false;
  shadow_ = std::max(promise_, now);
  return true;
}

void easy_backfill::reserve_first(const start_request& first, const capacity_pools& pools,
                                  instant now) {
  auto free_then = pools.free();
  if (holds_all(free_then, first.need)) {
    // There is enough, but not on machines that would do. What ends before anything else is
    // expected to end does no harm.
    shadow_ = pools.next_end(now);
    spare_ = resource_sum{};
    return;
  }
  shadow_ = far_future;
  pools.visit_releases(now, [&](instant at, const resource_sum& amount) {
    if (at > shadow_)
      return false;
    free_then += amount;
    if (shadow_ == far_future && holds_all(free_then, first.need))
      shadow_ = std::max(at, now);
    return true;
  });
  spare_ = free_then -= first.need;
  if (keep_promise(first, pools, now))
    spare_ = resource_sum{};
}

void easy_backfill::reserve_first_in_pools(const start_request& first, const capacity_pools& pools,
                                           instant now) {
  if (pools.fit_now(first, now)) {
    spares_.assign(pools.size(), resource_sum{});
    shadow_ = pools.next_end(now); // there is enough, but not on machines that would do
    return;
  }
  auto found = pools.first_fit(first, now);
  shadow_ = found.at;
  spares_ = std::move(found.free); // of all, if it asks for more than there is at present
  for (std::size_t p = 0; p < found.counts.size(); ++p)
    spares_[p] -= amount_of(first, found.counts[p]);
  if (keep_promise(first, pools, now))
    spares_.assign(pools.size(), resource_sum{});
}

/// Returns where a request behind the first one may start now; nothing if it may not.
std::optional<pool_counts> easy_backfill::may_pass(const start_request& what,
                                                   const capacity_pools& pools,
                                                   const resource_sum& has_now, instant now) const {
  const auto until = end_after(now, what.length());
  if (pools.windows() == nullptr) {
    const bool may =
      holds_all(has_now, what.need) && (until <= shadow_ || holds_all(spare_, what.need));
    return may ? std::optional{pool_counts{}} : std::nullopt;
  }
  return pools.choose(what, now, until, [&](std::uint32_t p) {
    const auto room = tasks_in(pools.free(p), what);
    return until > shadow_ ? std::min(room, tasks_in(spares_[p], what)) : room;
  });
}

/// Gives a moldable request behind the first one the shape in which it may start now, and returns
/// where; nothing if there is none.
std::optional<pool_counts> easy_backfill::shape_to_pass(start_request& what,
                                                        const capacity_pools& pools,
                                                        const resource_sum& has_now,
                                                        instant now) const {
  auto limit = far_future;
  if (widths_ == width_rule::earliest_finish && shadow_ < far_future) {
    mold(what, what.requested);
    limit = end_after(shadow_, what.length());
  }
  shape_choice choice{widths_};
  std::optional<pool_counts> where;
  for (std::size_t i = 0; i < what.shapes.size(); ++i) {
    mold(what, i);
    auto found = may_pass(what, pools, has_now, now);
    if (!found || end_after(now, what.length()) > limit)
      continue;
    choice.add(i, now, what.length());
    if (choice.best()->shape == i)
      where = std::move(found);
  }
  mold(what, choice.best() ? choice.best()->shape : what.requested);
  return where;
}

std::optional<start_choice>
easy_backfill::next_behind_first(request_line& line, const capacity_pools& pools, instant now) {
  if (std::exchange(changed_, false) || shadow_ < now) {
    looked_at_ = 1;
    if (pools.windows() == nullptr)
      reserve_first(line.front().what, pools, now);
    else
      reserve_first_in_pools(line.front().what, pools, now);
  }
  const auto has_now = pools.free();
  for (auto i = std::max<std::size_t>(looked_at_, 1); i < line.size(); ++i) {
    auto& e = line[i];
    if (e.no_place)
      continue;
    auto where = e.what.shapes.empty() ? may_pass(e.what, pools, has_now, now)
                                       : shape_to_pass(e.what, pools, has_now, now);
    if (!where)
      continue;
    looked_at_ = i;
    return start_choice{i, *std::move(where)};
  }
  looked_at_ = line.size();
  return std::nullopt;
}

} // namespace troupe
