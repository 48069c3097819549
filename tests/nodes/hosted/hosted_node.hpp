#pragma once

#include "cli/process.hpp"
#include "nodes/agent/hosted/joined_cluster.hpp"
#include "nodes/agent/hosted/node_context.hpp"
#include "nodes/fixture.hpp"
#include "settings/toml/print.hpp"
#include "settings/toml/read.hpp"

#include <doctest/doctest.h>

#include <string>

/// A node without connections, for the parts of its agent.
namespace troupe::test {

inline const std::string hosted_settings = R"(
schedulers = 4
[cluster]
machines = 40
partitions = 4
owners = 4
[[cluster.classes]]
name = "standard"
cpu = 24
memory = 96
[workload]
requests = [{ weight = 1, cpu = 1, memory = 1 }]
phases = [{ length = "3s", rate = 5 }]
)";

inline std::string settings_text(const std::string& toml) {
  return to_toml(parse_settings(toml, "test"));
}

inline node_identity node_named(const std::string& name) {
  node_identity who;
  who.name = name;
  who.boot = 7;
  return who;
}

struct hosted_node : local_system {
  scratch dir;
  int changes = 0; ///< of members
  node_hooks hooks{[this] { ++changes; }, {}, 0, {}};
  node_context node;

  explicit hosted_node(node_identity who = node_named("n1"))
    : node{system, std::make_shared<message_router>(system), std::move(who), dir.path(), hooks,
           {}} {}
};

} // namespace troupe::test
