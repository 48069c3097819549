#pragma once

#include "actors/messages.hpp"

#include <caf/actor.hpp>
#include <caf/behavior.hpp>
#include <caf/stateful_actor.hpp>

#include <vector>

namespace troupe {

struct pulse_state {
  static inline const char* name = "pulse";

  pulse_state() = default;

  std::vector<caf::actor> machines;
  std::size_t next = 0;
};

/// Has the machines of a node show signs of life, one after the other, each once per heartbeat.
caf::behavior pulse(caf::stateful_actor<pulse_state>* self, std::vector<caf::actor> machines,
                    duration heartbeat);

} // namespace troupe
