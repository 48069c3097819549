#pragma once

#include "model/resources.hpp"
#include "model/time.hpp"

#include <array>
#include <cstdint>

namespace troupe {

/// Integrates over time how much of some machines is in use, by the resource of which most is
/// (1 is everything). Changes must come in the order of time.
class usage_meter {
public:
  void add_capacity(const resources& capacity);

  void take(const resources& demand, instant now) { change(demand, 1, now); }
  void give(const resources& demand, instant now) { change(demand, -1, now); }

  /// The share in use now.
  double utilization() const;

  /// The integral of that share up to `now`, in s.
  double used_seconds(instant now) {
    account(now);
    return used_seconds_;
  }

private:
  void change(const resources& demand, std::int64_t sign, instant now) {
    account(now);
    for (std::size_t k = 0; k < resource_kinds; ++k)
      used_[k] += sign * demand.amount[k];
  }

  void account(instant now) {
    if (now <= accounted_)
      return;
    used_seconds_ += utilization() * to_seconds(now - accounted_);
    accounted_ = now;
  }

  std::array<std::int64_t, resource_kinds> used_{};
  std::array<std::int64_t, resource_kinds> capacity_{};
  double used_seconds_ = 0;
  instant accounted_{0};
};

} // namespace troupe
