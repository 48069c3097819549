#pragma once

#include "runtime/swarm/draw.hpp"
#include "runtime/swarm/trial.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace troupe {

/// A failing run that was reduced.
struct swarm_case {
  std::uint64_t seed = 0;
  swarm_mode mode = swarm_mode::failing;
  std::vector<swarm_choice> choices;
  std::vector<fault> faults; ///< all of them; the seed adds none
  std::string failure;
  std::uint32_t runs = 0; ///< number of runs that shrinking took
};

/// Reduces the run of a draw while its failure stays in the same class: fewer failures, fewer
/// settings that differ from the base, fewer machines, schedulers and jobs, shorter failures. Makes
/// at most `most_runs` runs, and ends early once `stop` returns true.
swarm_case shrink(const swarm_draw& draw, swarm_mode mode, const swarm_trial& failed,
                  std::uint32_t most_runs = 600, const std::function<bool()>& stop = {});

/// Renders the case as a settings file for `troupe chaos FILE --seeds N`, or for `troupe run` if
/// nothing fails.
std::string to_toml(const swarm_case& what);

} // namespace troupe
