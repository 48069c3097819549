#pragma once

#include "runtime/wiring.hpp"

namespace troupe {

/// Spawns schedulers that are alike, as `alike` says: those of one group, or the pool, which counts
/// what belongs to no group of jobs for the first one. Throws `std::runtime_error` if a plugin does
/// not spawn its actor.
void spawn_schedulers(caf::actor_system& system, cluster& c, const group_settings& alike,
                      std::uint32_t group, const run_settings& settings,
                      const wiring_options& options);

} // namespace troupe
