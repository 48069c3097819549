#pragma once

#include "nodes/gateway_lines.hpp"

/// What the gateway of the master's node does beside: it keeps the book of nodes.
namespace troupe {

/// Opens the book. May end with `gateway_config::fail`.
void become_master(gateway_pointer self);

/// Takes a node into the cluster, or refuses it.
void take_in(gateway_pointer self, const node_identity& who, const caf::actor& from);

/// Has the cluster begin if nothing is missing, or tells everyone what is.
void begin_if_complete(gateway_pointer self);

/// Tells everyone who is there.
void publish_list(gateway_pointer self);

/// Has members move from a node that is to be emptied, and, one at a time, to nodes that have come.
void level(gateway_pointer self);

} // namespace troupe
