#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace troupe {

/// The kinds of resource that machines offer and tasks ask for.
enum class resource : std::uint8_t {
  cpu,    ///< milli-CPU: 1000 is one core
  memory, ///< MiB
  gpu,    ///< milli-GPU: 1000 is one card
  slots,  ///< whole slots, for slot-counting experiments
};

inline constexpr std::size_t resource_kinds = 4;

/// The name of a kind of resource, as in the settings and the results.
constexpr std::string_view resource_name(resource r) {
  constexpr std::string_view names[] = {"cpu", "memory", "gpu", "slots"};
  return names[static_cast<std::size_t>(r)];
}

/// An amount of every kind of resource, in whole units of 0 to 2^31 - 1. Integers make sums
/// independent of their order, on every platform.
struct resources {
  std::array<std::int32_t, resource_kinds> amount{};

  constexpr std::int32_t& operator[](resource r) { return amount[static_cast<std::size_t>(r)]; }

  constexpr std::int32_t operator[](resource r) const {
    return amount[static_cast<std::size_t>(r)];
  }

  constexpr resources& operator+=(const resources& other) {
    for (std::size_t i = 0; i < resource_kinds; ++i)
      amount[i] += other.amount[i];
    return *this;
  }

  constexpr resources& operator-=(const resources& other) {
    for (std::size_t i = 0; i < resource_kinds; ++i)
      amount[i] -= other.amount[i];
    return *this;
  }

  friend constexpr resources operator+(resources a, const resources& b) { return a += b; }
  friend constexpr resources operator-(resources a, const resources& b) { return a -= b; }
  friend constexpr bool operator==(const resources&, const resources&) = default;

  /// Returns whether `demand` can be subtracted from this without any kind falling below zero.
  constexpr bool fits(const resources& demand) const {
    for (std::size_t i = 0; i < resource_kinds; ++i)
      if (demand.amount[i] > amount[i])
        return false;
    return true;
  }

  constexpr bool is_zero() const { return *this == resources{}; }

  constexpr bool any_negative() const {
    for (auto x : amount)
      if (x < 0)
        return true;
    return false;
  }

  /// Returns an amount of `n` slots and nothing else.
  static constexpr resources of_slots(std::int32_t n) {
    resources r;
    r[resource::slots] = n;
    return r;
  }
};

/// Returns how many times `unit` fits into `free`, considering only the kinds that `unit` asks for;
/// 0 if it asks for none, or for a kind of which `free` is negative.
constexpr std::int32_t times_fitting(const resources& free, const resources& unit) {
  std::int32_t n = -1;
  for (std::size_t i = 0; i < resource_kinds; ++i)
    if (unit.amount[i] > 0) {
      const auto k = free.amount[i] > 0 ? free.amount[i] / unit.amount[i] : 0;
      n = n < 0 || k < n ? k : n;
    }
  return n < 0 ? 0 : n;
}

/// Renders as "cpu 500m, memory 2048Mi, gpu 0m, slots 1" without the kinds that are zero.
std::string to_string(const resources& r);

} // namespace troupe
