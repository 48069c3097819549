#pragma once

#include "nodes/routing/node_messages.hpp"

#include <caf/fwd.hpp>

#include <optional>
#include <string>

namespace troupe {

/// The body of a greeting.
std::string write_identity(caf::actor_system& system, const node_identity& who);

/// Reads one; returns nothing if it is malformed.
std::optional<node_identity> read_identity(caf::actor_system& system, const std::string& body);

/// Returns why a node's name or host is invalid, or nothing. Both come from outside, and are shown,
/// logged and connected to.
std::string why_no_node(const node_identity& who);

/// Returns whether text looks like the name or the address of a host.
bool is_host(const std::string& text);

} // namespace troupe
