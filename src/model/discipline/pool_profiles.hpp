#pragma once

#include "model/discipline/availability_profile.hpp"
#include "model/discipline/capacity_pools.hpp"
#include "model/discipline/request_line.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace troupe {

/// What is expected to be free in each pool over time: all that there is, less what others hold for
/// a while, less runs until their expected ends, less reservations.
class pool_profiles {
public:
  /// `kinds`: the kinds of resource that count.
  pool_profiles(const capacity_pools& pools, std::span<const resource> kinds);

  /// Forgets what is before `now`.
  void advance(instant now);

  /// Notes that the capacity of a pool is about to change to `own`, beside what `others` hold.
  /// Returns whether there will be less in all of some kind.
  bool change_capacity(const capacity_pools& pools, std::uint32_t pool, const resource_sum& own,
                       const resource_sum& others, instant now);

  /// Notes that less, or more, of a pool is free in [from, to).
  void take(std::uint32_t pool, instant from, instant to, const resource_sum& amount) {
    pools_[pool].profile.take(from, to, amount);
  }
  void add(std::uint32_t pool, instant from, instant to, const resource_sum& amount) {
    pools_[pool].profile.add(from, to, amount);
  }

  /// Takes the reservation of a request, or gives it back; nothing if it has none.
  void take_reservation(const queued_request& of);
  void add_reservation(const queued_request& of);

  /// Returns the earliest reservation in [from, before) that a request can be given.
  pool_start first_fit(const capacity_pools& pools, const start_request& what, instant from,
                       instant before = far_future) const;

  /// Returns the first instant from `from` on to which the reservation of a request can be moved
  /// forward, or `far_future`. Without windows.
  instant find_earlier(const queued_request& of, instant from) const {
    return pools_.front().profile.find_earlier(from, of.what.need, of.what.length(), of.start);
  }

  /// Returns whether runs and reservations take more than there is expected to be.
  bool promise_too_much(instant now) const;

private:
  struct profiled_pool {
    availability_profile profile;
    instant others_until{0}; ///< until when the profile counts what others hold
  };

  std::vector<profiled_pool> pools_;
};

} // namespace troupe
