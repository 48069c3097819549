#pragma once

#include "nodes/registry/gateway_connections.hpp"

/// Additional functions of the gateway on the master's node, which keeps the registry of nodes.
namespace troupe {

/// Creates the registry. May end with `gateway_config::fail`.
void become_master(gateway_pointer self);

/// Accepts a node into the cluster, or refuses it.
void take_in(gateway_pointer self, const node_identity& who, const caf::actor& from);

/// Starts the cluster if all conditions are met, or tells every node the missing ones.
void begin_if_complete(gateway_pointer self);

/// Sends every node the list of nodes.
void publish_list(gateway_pointer self);

/// Forgets the reports of nodes that have left permanently, and the connections to them that are
/// down.
void forget_left(gateway_pointer self);

/// Moves members from nodes that are drained and, one at a time, to new nodes.
void level(gateway_pointer self);

} // namespace troupe
