#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace troupe {

/// One process of a cluster on a single host.
struct planned_node {
  std::string name;
  std::string roles; ///< as `troupe node --roles` takes them
  std::uint32_t machines = 0;
};

/// Shares a cluster out to `nodes` processes (1 or more): node-1 has the master and, if there is
/// one, the workload; the others take the owners, if there are any, the schedulers and equal shares
/// of the machines, which add up. A single node has everything. With `has_api`, one more node
/// serves the page. With `runs_commands`, node-1 serves the page and keeps the jobs of clients, and
/// each of the others is one machine. Throws `std::invalid_argument` with a message for the user if
/// there are fewer machines than nodes that share them.
std::vector<planned_node> plan_local_nodes(std::uint32_t nodes, std::uint32_t machines,
                                           bool has_workload, bool has_owners = true,
                                           bool has_api = false, bool runs_commands = false);

} // namespace troupe
