#pragma once

#include "nodes/routing/node_messages.hpp"

#include <cstdint>
#include <map>
#include <optional>

namespace troupe {

/// Returns a member of a role that should move to another node, so that nodes have as many of them
/// as each other: one of the fullest node, if another one that can take it has at least two less.
/// Nodes that are gone or draining do not count. `reports` are by node. Returns nothing if they are
/// even.
std::optional<member> to_level(const node_list& nodes,
                               const std::map<std::uint32_t, node_report>& reports, role what);

} // namespace troupe
