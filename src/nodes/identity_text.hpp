#pragma once

#include "nodes/node_messages.hpp"

#include <caf/fwd.hpp>

#include <optional>
#include <string>

namespace troupe {

/// The body of a greeting.
std::string write_identity(caf::actor_system& system, const node_identity& who);

/// Reads one; nothing if it is none.
std::optional<node_identity> read_identity(caf::actor_system& system, const std::string& body);

} // namespace troupe
