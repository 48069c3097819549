#pragma once

#include "nodes/gateway_lines.hpp"

/// How well the clocks of hosts agree, as the master's node measures it.
namespace troupe {

/// Asks every node for the time.
void ask_for_time(gateway_pointer self);

/// Somebody asks for the time, or has answered.
void tell_time(gateway_pointer self, const node_clock& word);

/// Puts what is known of the clocks into the nodes' reports.
void note_clocks(gateway_pointer self, std::vector<node_report>& reports);

} // namespace troupe
