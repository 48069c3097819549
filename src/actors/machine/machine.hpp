#pragma once

#include "actors/machine/machine_core.hpp"
#include "actors/machine/machine_session.hpp"
#include "actors/reach.hpp"
#include "actors/run_clock.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <memory>
#include <optional>

namespace troupe {

/// What all machines of a node share.
struct machine_config {
  std::shared_ptr<executor> runs_on;
  run_clock clock;
};

/// How a machine talks to its owner where failures are watched.
struct machine_session_config {
  machine_session_rules rules;
  owner_id owner = 0; ///< of its partition
  duration heartbeat = std::chrono::milliseconds{500};
  /// Another actor tells it to show signs of life, once per heartbeat: one timer for all machines
  /// of a node. Those that have just said something else keep silent then.
  bool paced = false;
  reach_function reach;
};

/// What a machine has of its owner where failures are watched.
struct machine_tie {
  machine_session_config config;
  machine_session session;
  guarded_owner_actor owner{};
  incarnation owner_life = 0;         ///< that `owner` leads to; 0: unknown
  std::optional<instant> last_beat{}; ///< when it has shown a sign of life
};

struct machine_state {
  static inline const char* name = "machine";

  machine_state() = default;

  // In the order of their use: with very many machines the time goes by cache lines.
  std::unique_ptr<machine_tie> tie; ///< where failures are watched
  std::shared_ptr<const machine_config> config;
  std::optional<machine_core> core;
};

/// A machine starts the tasks that its owner launches and refuses those that would overfill it.
///
/// With `session`, it shows signs of life to its owner, tells it of ends until it has heard of
/// them, and stops what it runs when it is on its own for too long. Without, its node tells the
/// owner of ends, in batches.
machine_actor::behavior_type machine(machine_actor::stateful_pointer<machine_state> self,
                                     machine_id id, const resources& capacity,
                                     std::shared_ptr<const machine_config> config,
                                     std::shared_ptr<const machine_session_config> session);

} // namespace troupe
