#pragma once

#include "nodes/run_node.hpp"

#include <caf/actor_system_config.hpp>

namespace troupe {

/// Prepares an actor system whose lines to others are encrypted; with credentials, both sides of a
/// line prove who they are.
void configure_node_system(caf::actor_system_config& config,
                           const std::optional<tls_files>& credentials,
                           std::chrono::milliseconds heartbeat, std::chrono::milliseconds timeout);

} // namespace troupe
