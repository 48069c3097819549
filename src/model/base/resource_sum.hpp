#pragma once

#include "model/base/resources.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace troupe {

/// An amount of every kind of resource, large enough for a whole cluster.
struct resource_sum {
  std::array<std::int64_t, resource_kinds> amount{};

  constexpr resource_sum& operator+=(const resources& r) {
    for (std::size_t k = 0; k < resource_kinds; ++k)
      amount[k] += r.amount[k];
    return *this;
  }

  constexpr resource_sum& operator-=(const resources& r) {
    for (std::size_t k = 0; k < resource_kinds; ++k)
      amount[k] -= r.amount[k];
    return *this;
  }

  constexpr resource_sum& operator+=(const resource_sum& other) {
    for (std::size_t k = 0; k < resource_kinds; ++k)
      amount[k] += other.amount[k];
    return *this;
  }

  constexpr resource_sum& operator-=(const resource_sum& other) {
    for (std::size_t k = 0; k < resource_kinds; ++k)
      amount[k] -= other.amount[k];
    return *this;
  }

  friend constexpr resource_sum operator+(resource_sum a, const resources& b) { return a += b; }
  friend constexpr bool operator==(const resource_sum&, const resource_sum&) = default;
};

/// Resources times the seconds for which they were held.
struct resource_seconds {
  std::array<double, resource_kinds> amount{};

  template <class Amounts> // resources or resource_sum
  constexpr void add(const Amounts& held, double seconds) {
    for (std::size_t k = 0; k < resource_kinds; ++k)
      amount[k] += static_cast<double>(held.amount[k]) * seconds;
  }

  constexpr resource_seconds& operator+=(const resource_seconds& other) {
    for (std::size_t k = 0; k < resource_kinds; ++k)
      amount[k] += other.amount[k];
    return *this;
  }
};

/// Returns whether `free` holds all of `need`.
constexpr bool holds_all(const resource_sum& free, const resource_sum& need) {
  for (std::size_t k = 0; k < resource_kinds; ++k)
    if (need.amount[k] > free.amount[k])
      return false;
  return true;
}

/// Returns the dominant share: the greatest, over the kinds of resource, of the shares of
/// `capacity` (Ghodsi et al., Dominant Resource Fairness, NSDI 2011, section 4). Kinds without
/// capacity do not count.
template <class Amounts>
constexpr double dominant_share(const Amounts& used, const resource_sum& capacity) {
  double most = 0;
  for (std::size_t k = 0; k < resource_kinds; ++k)
    if (capacity.amount[k] > 0)
      most = std::max(most, static_cast<double>(used.amount[k]) /
                              static_cast<double>(capacity.amount[k]));
  return most;
}

} // namespace troupe
