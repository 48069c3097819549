#pragma once

#include "model/random.hpp"
#include "model/time.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace troupe {

/// When and where a refused task is queued again.
struct retry_rule {
  bool at_back = false;          ///< behind all that waits, not before it
  duration delay{0};             ///< before the first retry
  double factor = 1;             ///< each further delay is so many times the one before, at least 1
  duration max_delay{0};         ///< that delays grow to; 0: no limit
  double jitter = 0;             ///< share, 0 .. 1, by which a delay is longer or shorter at random
  bool wait_for_refresh = false; ///< and not before the view knows what was in the way

  /// Returns the delay after the refusal that was number `refusals`, from 1. Draws from `random`
  /// only if there is jitter.
  duration delay_after(std::uint32_t refusals, random_stream& random) const {
    if (delay <= duration::zero())
      return duration::zero();
    constexpr double longest = 1e9; // s, so that no instant overflows
    auto seconds = to_seconds(delay) * std::pow(factor, refusals > 0 ? refusals - 1 : 0);
    seconds = std::min(seconds, max_delay > duration::zero() ? to_seconds(max_delay) : longest);
    if (jitter > 0)
      seconds *= 1 + jitter * (2 * random.unit() - 1);
    return from_seconds(seconds);
  }
};

} // namespace troupe
