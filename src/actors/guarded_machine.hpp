#pragma once

#include "actors/handles.hpp"
#include "actors/machine_guard.hpp"
#include "actors/reach.hpp"
#include "actors/run_clock.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <memory>
#include <optional>

namespace troupe {

struct guarded_machine_config {
  machine_guard_rules rules;
  owner_id owner = 0; ///< of its partition
  duration heartbeat = std::chrono::milliseconds{500};
  /// Someone else tells it to show signs of life, once per heartbeat: one timer for all machines of
  /// a node. Those that have just said something else keep silent then.
  bool paced = false;
  std::shared_ptr<executor> runs_on;
  reach_function reach;
  run_clock clock;
};

struct guarded_machine_state {
  static inline const char* name = "machine";

  guarded_machine_state() = default;

  guarded_machine_config config;
  std::optional<machine_guard> guard;
  guarded_owner_actor owner;
  incarnation owner_life = 0;       ///< that `owner` leads to; 0: unknown
  std::optional<instant> last_beat; ///< when it has shown a sign of life
};

/// A machine in a cluster where failures are watched: it shows signs of life to its owner, tells it
/// of ends until it has heard of them, and stops what it runs when it is on its own for too long.
guarded_machine_actor::behavior_type
guarded_machine(guarded_machine_actor::stateful_pointer<guarded_machine_state> self,
                guarded_machine_config config);

} // namespace troupe
