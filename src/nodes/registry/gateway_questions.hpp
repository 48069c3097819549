#pragma once

#include "nodes/registry/gateway_connections.hpp"

/// What a gateway answers, or passes on, about the cluster.
namespace troupe {

/// Returns the state of the cluster, which the master's node knows. This node passes
/// its own questions on to the master's node; other nodes must ask the master's node themselves.
caf::result<cluster_report> tell_status(gateway_pointer self);

/// Returns the measurements of the node with the workload.
caf::result<live_report> tell_live(gateway_pointer self, const live_request& asked);

/// Returns what happened to a task, by the node with the workload, which looks for it in a thread
/// of its own.
caf::result<story_reply> tell_story_of(gateway_pointer self, const story_request& asked);

/// Stores a report of the node at the other end.
void note_report(gateway_pointer self, const node_report& report);

} // namespace troupe
