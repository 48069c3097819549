#pragma once

#include <caf/actor_system_config.hpp>

#include <chrono>

namespace troupe {

/// Prepares an actor system for a node. It looks after its connections (see `node_network`) every
/// `heartbeat`, and gives those up on which nothing has come for `timeout`.
void configure_node_system(caf::actor_system_config& config, std::chrono::milliseconds heartbeat,
                           std::chrono::milliseconds timeout);

} // namespace troupe
