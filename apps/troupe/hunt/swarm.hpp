#pragma once

#include "hunt/seed_range.hpp"
#include "runtime/swarm/rows.hpp"

#include <string>

namespace troupe {

/// The options of `troupe chaos --swarm`.
struct swarm_options {
  seed_range seeds;
  swarm_mode mode = swarm_mode::failing;
  unsigned jobs = 1;
  std::string directory = "results/swarm"; ///< for the settings of failing runs
  bool as_json = false;                    ///< prints JSON, and findings to standard error
};

/// Draws and makes the run of each seed, reports failing ones, shrinks one of each class and writes
/// its settings. Returns the exit code.
int run_swarm(const swarm_options& options);

} // namespace troupe
