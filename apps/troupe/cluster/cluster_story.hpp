#pragma once

#include "cluster/cluster_access.hpp"
#include "nodes/routing/node_messages.hpp"

#include <string>

namespace troupe {

/// Asks the node with the workload of a running cluster about a task until it has found the answer,
/// and prints that, as sentences or as JSON. `command` begins the messages. Returns the exit code.
/// Throws `usage_error` if the cluster cannot be reached, keeps no records, or does not understand
/// the question, and `std::runtime_error` if there is no such task.
int tell_from_cluster(const std::string& command, const story_request& asked,
                      const cluster_access& access, bool as_json);

} // namespace troupe
