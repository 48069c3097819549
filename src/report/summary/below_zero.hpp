#pragma once

#include "model/base/distribution.hpp"

#include <cstdint>

namespace troupe {

/// Returns the number of delays below zero. A delay is below zero if a task was submitted on one
/// host and placed on another host whose clock is behind. Such delays count in the lowest bin. If
/// there are any, delays from 0 to 1 us, which are in the same bin and do not occur between hosts,
/// count with them.
inline std::uint64_t below_zero(const distribution& delays) {
  if (delays.empty() || delays.min() >= 0)
    return 0;
  return delays.bins().front().second;
}

} // namespace troupe
