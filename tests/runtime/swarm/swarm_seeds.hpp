#pragma once

#include "runtime/swarm/shrink.hpp"

#include <doctest/doctest.h>

#include <cstdint>

namespace troupe::test {

/// Checks that the swarm finds nothing wrong with the seeds `first` to `last`, and that tasks
/// start.
inline void check_swarm_seeds(swarm_mode mode, std::uint64_t first, std::uint64_t last) {
  std::uint64_t starts = 0;
  for (auto seed = first; seed <= last; ++seed) {
    CAPTURE(seed);
    const auto draw = draw_swarm(seed, mode);
    const auto trial = try_run(draw.settings, mode);
    CHECK_MESSAGE(!trial.failure, trial.failure.value_or(""));
    starts += trial.starts;
  }
  CHECK(starts > 0);
}

} // namespace troupe::test
