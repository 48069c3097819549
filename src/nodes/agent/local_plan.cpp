#include "nodes/agent/local_plan.hpp"

#include <stdexcept>

namespace troupe {

std::vector<planned_node> plan_local_nodes(std::uint32_t nodes, std::uint32_t machines,
                                           bool has_workload, bool has_owners, bool has_api,
                                           bool runs_commands) {
  const auto sharers = nodes > 1 ? nodes - 1 : 1;
  if (machines < sharers)
    throw std::invalid_argument(std::to_string(machines) + " machines cannot be shared by " +
                                std::to_string(sharers) + " nodes; expected one for each at least");
  std::vector<planned_node> plan(nodes);
  for (std::uint32_t i = 0; i < nodes; ++i)
    plan[i].name = "node-" + std::to_string(i + 1);
  plan[0].roles = runs_commands  ? "master,workload,api"
                  : has_workload ? "master,workload"
                                 : "master";
  const std::string shared = has_owners ? "owner,scheduler,machine" : "scheduler,machine";
  const auto first = nodes - sharers;
  for (std::uint32_t i = 0; i < sharers; ++i) {
    auto& node = plan[first + i];
    node.roles += node.roles.empty() ? shared : "," + shared;
    if (!runs_commands)
      node.machines = machines / sharers + (i < machines % sharers ? 1 : 0);
  }
  if (has_api && !runs_commands)
    plan.push_back({"node-" + std::to_string(nodes + 1), "api"});
  return plan;
}

} // namespace troupe
