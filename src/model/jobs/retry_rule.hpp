#pragma once

#include "model/base/random.hpp"
#include "model/base/time.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace troupe {

/// Determines the time and the place in the queue at which a refused task is queued again.
struct retry_rule {
  bool at_back = false;          ///< behind all waiting tasks instead of before them
  duration delay{0};             ///< before the first retry
  double factor = 1;             ///< ratio of each further delay to the one before, at least 1
  duration max_delay{0};         ///< upper limit of delays, with their jitter; 0: no limit
  double jitter = 0;             ///< share, 0 .. 1, by which a delay is randomly longer or shorter
  bool wait_for_refresh = false; ///< and not before the view includes the cause of the refusal

  /// Returns the delay after refusal number `refusals`, counted from 1. Draws from `random` only if
  /// there is jitter.
  duration delay_after(std::uint32_t refusals, random_stream& random) const {
    if (delay <= duration::zero())
      return duration::zero();
    constexpr double longest = 1e9; // s, so that no instant overflows
    auto seconds = to_seconds(delay) * std::pow(factor, refusals > 0 ? refusals - 1 : 0);
    const auto most = max_delay > duration::zero() ? to_seconds(max_delay) : longest;
    seconds = std::min(seconds, most);
    if (jitter > 0)
      seconds = std::min(seconds * (1 + jitter * (2 * random.unit() - 1)), most);
    return from_seconds(seconds);
  }
};

} // namespace troupe
