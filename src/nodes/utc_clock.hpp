#pragma once

#include "actors/run_clock.hpp"
#include "model/failure_protocol.hpp"

#include <caf/actor_clock.hpp>

#include <chrono>

/// What nodes have in common of time. The cluster counts from an origin in UTC, so instants of
/// different hosts compare as well as their clocks agree; leases compare none.
namespace troupe {

inline std::int64_t utc_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
           std::chrono::system_clock::now().time_since_epoch())
    .count();
}

/// The clock of a cluster whose time began then.
inline run_clock clock_since(caf::actor_clock& clock, std::int64_t origin_utc_ns) {
  const auto ago = std::chrono::nanoseconds{utc_ns() - origin_utc_ns};
  return {clock.now() - std::chrono::duration_cast<caf::actor_clock::duration_type>(ago)};
}

/// A life for a member that is started now and does not know its earlier ones: tenths of a second
/// since 2026. Later starts have higher ones as long as the host's clock does not go back.
inline incarnation life_by_clock() {
  constexpr std::int64_t begin_of_2026 = 1'767'225'600;
  return static_cast<incarnation>(utc_ns() / 100'000'000 - begin_of_2026 * 10);
}

} // namespace troupe
