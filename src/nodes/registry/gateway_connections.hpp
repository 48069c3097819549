#pragma once

#include "nodes/registry/gateway.hpp"

#include <string>

/// The connections of a gateway to the other nodes.
namespace troupe {

using gateway_pointer = caf::stateful_actor<gateway_state>*;

/// Time limit for the answer to a greeting or a request.
inline constexpr auto request_patience = std::chrono::seconds{5};

/// Time limit for a connection, whose steps have limits of their own.
inline constexpr auto connect_patience = std::chrono::seconds{15};

/// Returns the first message that this node sends.
node_greeting greeting_of(gateway_pointer self);

/// The name of the connection to an address at which the master may be. No node has such a name.
std::string entrance_name(std::size_t number);

/// Returns the connection to a node, or null.
node_connection* find_connection(gateway_pointer self, const std::string& name);

/// Returns the connection on which the current message arrived, or null.
node_connection* connection_of_sender(gateway_pointer self);

/// Returns why a greeting does not match the process at the other end of its connection, or an
/// empty text.
std::string why_not_from(gateway_pointer self, const caf::actor& from, const node_identity& who);

/// Tries all addresses at which the master may be.
void look_for_master(gateway_pointer self);

/// Returns whether the current message comes from the node with the role master.
bool is_from_master(gateway_pointer self);

/// Returns the message that this node is not the one with the master, and which is.
std::string not_the_master(gateway_pointer self);

/// Reports to this node the conditions that it waits for.
void tell_what_is_missing(gateway_pointer self);

/// Returns the handle of the master's gateway, or null while there is no connection.
caf::actor master_connection(gateway_pointer self);

/// Connects, if it is not connected and knows the address, and tries again later if that fails.
void connect(gateway_pointer self, const std::string& name);

/// Connects after a delay, which grows each time.
void try_later(gateway_pointer self, node_connection& connection);

/// Sets up an established connection to a node.
void adopt(gateway_pointer self, const node_identity& who, const caf::actor& to);

/// Sends another node the list of members that live here.
void send_residents(gateway_pointer self, const caf::actor& to);

/// Updates the list of nodes, and connects to those to which this node has to.
void learn(gateway_pointer self, const node_list& list);

} // namespace troupe
