#pragma once

#include "nodes/registry/gateway_connections.hpp"

/// How clients change the policies of schedulers.
namespace troupe {

/// Orders other policies, on the master's node, and tells all nodes. Another node passes its own
/// questions on to that node.
caf::result<policy_reply> order_policies(gateway_pointer self, const policy_request& asked);

/// The store has kept the orders of a question, or, if there are none in `reply`, cannot.
void take_kept_orders(gateway_pointer self, std::uint64_t number, policy_reply reply);

} // namespace troupe
