#pragma once

#include "actors/common/run_clock.hpp"
#include "model/protocol/failure_protocol.hpp"

#include <caf/actor_clock.hpp>

#include <chrono>

/// The common time of nodes. The cluster counts from an origin in UTC, so instants of different
/// hosts are comparable as far as their clocks agree. Leases do not compare instants of different
/// hosts.
namespace troupe {

inline std::int64_t utc_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
           std::chrono::system_clock::now().time_since_epoch())
    .count();
}

/// Returns the clock of a cluster whose time began at that origin.
inline run_clock clock_since(caf::actor_clock& clock, std::int64_t origin_utc_ns) {
  const auto ago = std::chrono::nanoseconds{utc_ns() - origin_utc_ns};
  return {clock.now() - std::chrono::duration_cast<caf::actor_clock::duration_type>(ago)};
}

/// Returns an incarnation for a member that starts now and does not know its earlier ones: tenths
/// of a second since 2026. Later starts have higher incarnations, as long as the host's clock does
/// not go back.
constexpr std::int64_t tenths_until_2026 = 17'672'256'000;
constexpr std::int64_t ns_in_a_tenth = 100'000'000;

inline incarnation_id life_by_clock() {
  return static_cast<incarnation_id>(utc_ns() / ns_in_a_tenth - tenths_until_2026);
}

/// Returns the end of the tenth of a second in which such an incarnation began, in ns since 1970
/// (UTC).
inline std::int64_t begin_of_incarnation(incarnation_id incarnation) {
  return (std::int64_t{incarnation} + tenths_until_2026 + 1) * ns_in_a_tenth;
}

} // namespace troupe
