#include "model/discipline/start_queue.hpp"

#include <algorithm>

namespace troupe {

void start_queue::reserve_first(instant now) {
  changed_ = false;
  looked_at_ = 1;
  if (windows_ != nullptr)
    return reserve_first_in_pools(now);
  const auto& runs = pools_.front().runs;
  const auto& others = pools_.front().others;
  const auto& first = entries_.front();
  const auto has_now = free();
  if (holds_all(has_now, first.what.need)) {
    // There is enough, but not on machines that would do. Who ends before anything else is expected
    // to end does no harm.
    shadow_ = next_end(now);
    spare_ = resource_sum{};
    return;
  }
  auto free_then = has_now;
  shadow_ = far_future;
  const auto others_end = end_after(now, others_hold_for());
  bool others_count = others != resource_sum{};
  const auto release = [&](instant at, const resource_sum& amount) {
    free_then += amount;
    if (shadow_ == far_future && holds_all(free_then, first.what.need))
      shadow_ = std::max(at, now);
  };
  for (const auto& [at, released] : runs.ends()) {
    if (others_count && others_end < at) {
      others_count = false;
      release(others_end, others);
    }
    if (shadow_ != far_future && at > shadow_)
      break;
    release(at, released.amount);
  }
  if (others_count && (shadow_ == far_future || others_end <= shadow_))
    release(others_end, others);
  spare_ = free_then -= first.what.need;
  // What was promised is kept.
  if (promised_to_ != first.what.first || shadow_ < promise_) {
    promised_to_ = first.what.first;
    promise_ = shadow_;
  } else if (promise_ < shadow_ && others != resource_sum{}) {
    shadow_ = std::max(promise_, now);
    spare_ = resource_sum{};
  }
}

std::optional<std::size_t> start_queue::next_of_easy(instant now) {
  if (entries_.empty())
    return std::nullopt;
  shape_first(now);
  if (may_start(entries_.front(), now))
    return 0;
  if (changed_ || shadow_ < now)
    reserve_first(now);
  const auto has_now = free();
  for (auto i = std::max<std::size_t>(looked_at_, 1); i < entries_.size(); ++i) {
    auto& e = entries_[i];
    if (e.no_place ||
        !(e.what.shapes.empty() ? may_pass(e.what, has_now, now) : shape_to_pass(e, has_now, now)))
      continue;
    looked_at_ = i;
    return i;
  }
  looked_at_ = entries_.size();
  return std::nullopt;
}

} // namespace troupe
