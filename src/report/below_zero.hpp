#pragma once

#include "model/distribution.hpp"

#include <cstdint>

namespace troupe {

/// How many of the delays are below zero. They are where a task was submitted on one host and
/// placed on another whose clock is behind; they count as the lowest bin. Where any is, those from
/// 0 to 1 us, which are in that bin too and do not occur between hosts, count with them.
inline std::uint64_t below_zero(const distribution& delays) {
  if (delays.empty() || delays.min() >= 0)
    return 0;
  return delays.bins().front().second;
}

} // namespace troupe
