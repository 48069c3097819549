#pragma once

#include "actors/common/light_actor.hpp"
#include "actors/common/run_clock.hpp"
#include "actors/machine/machine_core.hpp"
#include "actors/machine/owner_tie.hpp"

#include <caf/fwd.hpp>

#include <memory>
#include <optional>

namespace troupe {

/// The configuration that all machines of a node share.
struct machine_config {
  std::shared_ptr<executor> runs_on;
  run_clock clock;
};

struct machine_state {
  static inline const char* name = "machine";

  machine_state() = default;

  // In the order of their use: with very many machines the time goes by cache lines.
  std::unique_ptr<owner_tie> tie; ///< where failures are watched
  std::shared_ptr<const machine_config> config;
  std::optional<machine_core> core;
};

/// Spawns a machine. It starts the tasks that its owner launches and refuses those that would
/// overfill it.
///
/// With `session`, it sends heartbeats to its owner, reports ends until the owner acknowledges
/// them, and stops its tasks when it has no contact to the owner for too long. Without, its node
/// reports ends to the owner, in batches.
machine_actor spawn_machine(caf::actor_system& system, handling how, machine_id id,
                            const resources& capacity, std::shared_ptr<const machine_config> config,
                            const machine_session_config* session = nullptr);

} // namespace troupe
