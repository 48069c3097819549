#pragma once

#include "nodes/registry/gateway_connections.hpp"

/// How nodes leave a cluster.
namespace troupe {

/// Notifies all other nodes that this node ends, so that they do not report it as missing. Returns
/// once they have received it, or soon.
caf::result<caf::ok_atom> say_goodbye(gateway_pointer self);

/// On the master's node: lets a node take no more members, and moves those that it has.
caf::result<caf::ok_atom> drain_node(gateway_pointer self, const std::string& name);

/// Has this node drained before it leaves.
void drain_this_node(gateway_pointer self);

/// A node has left permanently: the master forgets it. Other nodes pass the message on to it.
caf::result<caf::ok_atom> forget_node(gateway_pointer self, const std::string& name);

/// The machine of a node that was to move is idle: the master gives it another place.
void give_another_place(gateway_pointer self, const std::string& name);

} // namespace troupe
