#pragma once

#include "actors/lease_board.hpp"
#include "actors/messages.hpp"
#include "actors/reach.hpp"
#include "actors/run_clock.hpp"
#include "nodes/node_messages.hpp"

#include <caf/actor.hpp>
#include <caf/behavior.hpp>
#include <caf/stateful_actor.hpp>

#include <memory>
#include <vector>

namespace troupe {

struct pulse_config {
  std::vector<caf::actor> machines;
  duration heartbeat = std::chrono::milliseconds{500};
  // Where schedulers probe:
  std::shared_ptr<lease_board> board{}; ///< of these machines
  machine_numbers numbers{};
  incarnation life = 0; ///< in which they were started
  reach_function reach; ///< of the first one
  run_clock clock;
};

struct pulse_state {
  static inline const char* name = "pulse";

  pulse_state() = default;

  pulse_config config;
  std::size_t next = 0;
};

/// The heart of a node with machines. Has each machine do what it does once per heartbeat, one
/// after the other. Where schedulers probe, it also shows every scheduler that the machines obey
/// one sign of life per heartbeat for all of them, which overtakes other messages.
caf::behavior pulse(caf::stateful_actor<pulse_state>* self, pulse_config config);

} // namespace troupe
