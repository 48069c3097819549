#pragma once

#include "actors/queueing_machine.hpp"
#include "actors/sparrow_scheduler.hpp"
#include "runtime/linker.hpp"
#include "settings/settings.hpp"

#include <caf/fwd.hpp>

#include <memory>
#include <vector>

/// What of a cluster's wiring belongs to schedulers that probe machines, and to the queues of
/// these.
namespace troupe {

/// The machines of a cluster where they have queues.
struct queueing_machines {
  /// As their node knows them, and as schedulers and other machines reach them.
  std::shared_ptr<std::vector<queueing_machine_actor>> plain;
  std::shared_ptr<std::vector<queueing_machine_actor>> linked;
  std::shared_ptr<machine_neighbours> neighbours;
  std::shared_ptr<queue_meter> meter;
};

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

/// Returns how the queues of machines are served.
queue_discipline discipline_of(const run_settings& settings);

/// Spawns the machines.
queueing_machines spawn_queueing_machines(caf::actor_system& system, const catalog& machines,
                                          const run_settings& settings, const run_clock& clock,
                                          const std::shared_ptr<executor>& runs,
                                          const linker& link);

/// Returns how a scheduler that probes machines is to work.
sparrow_limits probing_limits(const scheduler_settings& alike, const run_settings& settings);

} // namespace troupe
