#pragma once

#include "actors/sparrow/sparrow_core.hpp"
#include "settings/schema/settings.hpp"

#include <cstdint>

/// Which schedulers of a run probe machines, which then have queues, and how they and the queues
/// are to work.
namespace troupe {

/// Returns whether any scheduler of the run probes machines, which then have queues.
bool any_probes(const run_settings& settings);

/// Returns whether any scheduler that gets jobs of a group probes machines.
bool probed(const group_settings& group, const run_settings& settings);

/// Returns whether any scheduler of the run places tasks on a view, which takes owners.
bool any_places(const run_settings& settings);

/// Returns how many schedulers of a group (or the pool), the first ones, get the long jobs only; 0
/// if they are all alike.
std::uint32_t long_schedulers(const scheduler_settings& alike, const run_settings& settings);

/// Returns whether number `i` of the schedulers of a group (or the pool) probes machines.
bool probes(const scheduler_settings& alike, const run_settings& settings, std::uint32_t i);

/// Returns how many partitions, the last ones, are not for long jobs.
std::uint32_t reserved_partitions(const run_settings& settings);

/// Returns how a scheduler that probes machines is to work.
sparrow_limits probing_limits(const scheduler_settings& alike, const run_settings& settings);

} // namespace troupe
