#pragma once

#include "nodes/gateway.hpp"

#include <string>

/// The lines of a gateway to the other nodes.
namespace troupe {

using gateway_pointer = caf::stateful_actor<gateway_state>*;

/// How long a greeting or a request may take to be answered.
inline constexpr auto line_patience = std::chrono::seconds{5};

/// How long a connection may take, whose steps have limits of their own.
inline constexpr auto connect_patience = std::chrono::seconds{15};

/// What this node says first.
node_greeting greeting_of(gateway_pointer self);

/// Returns the line to a node, or null; to the one that is to be joined if the name is empty.
node_line* find_line(gateway_pointer self, const std::string& name);

/// Returns the line that the message at hand has come on, or null.
node_line* line_of_sender(gateway_pointer self);

/// Returns why a greeting is not that of the process at the other end of its connection, or an
/// empty text.
std::string why_not_from(gateway_pointer self, const caf::actor& from, const node_identity& who);

/// Returns whether the message at hand comes from the node with the role master.
bool is_from_master(gateway_pointer self);

/// Tells this node what it waits for.
void tell_what_is_missing(gateway_pointer self);

/// Returns the way to the master's node, or null while there is none.
caf::actor master_line(gateway_pointer self);

/// Connects, if it is not connected and knows where to, and tries again later if that fails.
void connect(gateway_pointer self, const std::string& name);

/// Connects after a while, longer each time.
void try_later(gateway_pointer self, node_line& line);

/// The line to a node is up.
void adopt(gateway_pointer self, const node_identity& who, const caf::actor& to);

/// Tells another node who lives here.
void send_residents(gateway_pointer self, const caf::actor& to);

/// Learns of the other nodes, and connects to those to which this one has to.
void learn(gateway_pointer self, const node_list& list);

} // namespace troupe
