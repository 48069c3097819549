#pragma once

#include "model/protocol/failure_protocol.hpp"
#include "settings/schema/settings.hpp"

#include <cstdint>
#include <vector>

/// Which members a cluster has by its settings, and where each of them belongs.
namespace troupe {

/// Returns how many partition owners there are: none where all schedulers probe machines.
std::uint32_t owner_places(const run_settings& settings);

/// Returns all owners and schedulers, in the incarnation `incarnation`: the places that a master
/// keeps filled.
membership places_of(const run_settings& settings, incarnation_id incarnation);

/// Where a scheduler belongs.
struct scheduler_place {
  std::uint32_t group = 0; ///< of jobs; the first one for all schedulers of a pool
  std::uint32_t index = 0; ///< its number among those of its group, or of the pool
};

/// Returns where scheduler `s` belongs.
scheduler_place place_of(const run_settings& settings, scheduler_id s);

/// Returns the settings that scheduler `s` shares with its group, or with the pool.
group_settings alike_of(const run_settings& settings, scheduler_id s);

/// Returns whether scheduler `s` probes machines.
bool probes(const run_settings& settings, scheduler_id s);

/// Returns the first scheduler that gets jobs of a group.
scheduler_id first_scheduler(const run_settings& settings, std::uint32_t group);

/// Returns how many schedulers get jobs of a group.
std::uint32_t schedulers_of(const run_settings& settings, std::uint32_t group);

/// Returns the groups whose jobs scheduler `s` gets.
std::vector<std::uint32_t> groups_of(const run_settings& settings, scheduler_id s);

} // namespace troupe
