#pragma once

#include "actors/handles.hpp"

#include <caf/behavior.hpp>
#include <caf/stateful_actor.hpp>

#include <vector>

namespace troupe {

struct pulse_state {
  static inline const char* name = "pulse";

  pulse_state() = default;

  std::vector<guarded_machine_actor> machines;
  std::size_t next = 0;
};

/// Has the machines of a node show signs of life, one after the other, each once per heartbeat.
caf::behavior pulse(caf::stateful_actor<pulse_state>* self,
                    std::vector<guarded_machine_actor> machines, duration heartbeat);

} // namespace troupe
