#pragma once

#include "runtime/swarm/draw.hpp"
#include "runtime/swarm/trial.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace troupe {

/// A failing run, as small as it was made.
struct swarm_case {
  std::uint64_t seed = 0;
  swarm_mode mode = swarm_mode::failing;
  std::vector<swarm_choice> choices;
  std::vector<fault> faults; ///< all of them; the seed has no others
  std::string failure;
  std::uint32_t runs = 0; ///< that shrinking took
};

/// Makes the run of a draw smaller while its failure stays of the same class: fewer failures, fewer
/// settings that are not the base's, fewer machines, schedulers and jobs, shorter failures. Makes
/// at most `most_runs` runs, and ends early once `stop` says true.
swarm_case shrink(const swarm_draw& draw, swarm_mode mode, const swarm_trial& failed,
                  std::uint32_t most_runs = 600, const std::function<bool()>& stop = {});

/// Renders the case as a settings file, which `troupe chaos FILE --seeds N` runs, or `troupe run`
/// where nothing fails.
std::string to_toml(const swarm_case& what);

} // namespace troupe
