#pragma once

#include "runtime/swarm/rows.hpp"
#include "seed_range.hpp"

#include <string>

namespace troupe {

/// What `troupe chaos --swarm` is asked for.
struct swarm_options {
  seed_range seeds;
  swarm_mode mode = swarm_mode::failing;
  unsigned jobs = 1;
  std::string directory = "results/swarm"; ///< where the settings of failing runs go
};

/// Draws and makes the run of each seed, tells of those that fail, shrinks one of each class and
/// writes it down. Returns the exit code.
int run_swarm(const swarm_options& options);

} // namespace troupe
