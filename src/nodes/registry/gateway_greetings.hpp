#pragma once

#include "nodes/registry/gateway_connections.hpp"

/// How two gateways get to know each other, and what happens when they lose each other.
namespace troupe {

/// A connecting node has introduced itself, or has answered this node's greeting.
void greet(gateway_pointer self, const node_greeting& hello);

/// Another node has refused this one.
void refused(gateway_pointer self, const node_refusal& refusal);

/// A connection has ended.
void connection_is_down(gateway_pointer self, const caf::actor_addr& who, const caf::error& why);

} // namespace troupe
