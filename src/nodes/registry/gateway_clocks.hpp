#pragma once

#include "nodes/registry/gateway_connections.hpp"

/// The differences of the hosts' clocks, as measured by the master's node.
namespace troupe {

/// Asks every node for the time.
void ask_for_time(gateway_pointer self);

/// Answers a request for the time, or takes an answer.
void tell_time(gateway_pointer self, const node_clock& word);

/// Adds the known clock offsets to the nodes' reports.
void note_clocks(gateway_pointer self, std::vector<node_report>& reports);

} // namespace troupe
