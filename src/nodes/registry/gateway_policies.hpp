#pragma once

#include "nodes/registry/gateway_lines.hpp"

/// How clients change the policies of schedulers.
namespace troupe {

/// Orders other policies, on the master's node, and tells all nodes. Another node passes its own
/// questions on to that node.
caf::result<policy_reply> order_policies(gateway_pointer self, const policy_request& asked);

} // namespace troupe
