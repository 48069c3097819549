#pragma once

#include "actors/common/reach.hpp"
#include "actors/common/run_clock.hpp"
#include "actors/machine/lease_board.hpp"
#include "actors/protocol/messages.hpp"
#include "nodes/routing/node_messages.hpp"

#include <caf/actor.hpp>
#include <caf/behavior.hpp>
#include <caf/stateful_actor.hpp>

#include <memory>
#include <vector>

namespace troupe {

struct heartbeat_pacer_config {
  std::vector<caf::actor> machines;
  duration heartbeat = std::chrono::milliseconds{500};
  std::shared_ptr<lease_board> board{}; ///< of these machines
  machine_numbers numbers{};
  incarnation_id incarnation = 0; ///< incarnation in which they were started
  reach_function reach;           ///< of the first one
  run_clock clock;
};

struct heartbeat_pacer_state {
  static inline const char* name = "heartbeat_pacer";

  heartbeat_pacer_state() = default;

  heartbeat_pacer_config config;
  std::size_t next = 0;
};

/// Paces the heartbeats of a node with machines. Triggers the heartbeat of each machine once per
/// interval, part by part. It also sends every owner and every probing scheduler that the machines
/// obey one heartbeat per interval for all machines, which overtakes other messages.
caf::behavior heartbeat_pacer(caf::stateful_actor<heartbeat_pacer_state>* self,
                              heartbeat_pacer_config config);

} // namespace troupe
