#pragma once

#include "nodes/registry/node_registry.hpp"

#include <doctest/doctest.h>

#include <string>
#include <variant>

/// Nodes that join a registry.
namespace troupe::test {

inline node_identity node_of(const std::string& name, std::uint32_t machines,
                             std::uint64_t boot = 1) {
  node_identity who;
  who.name = name;
  who.host = "127.0.0.1";
  who.port = 7400;
  who.boot = boot;
  who.roles.owners = who.roles.schedulers = machines > 0 ? 10 : 0;
  who.roles.machines = machines;
  return who;
}

inline node_identity master_of(const std::string& name) {
  auto who = node_of(name, 0);
  who.roles.master = true;
  return who;
}

inline const node_entry& taken(const std::variant<const node_entry*, node_refusal>& outcome) {
  REQUIRE(std::holds_alternative<const node_entry*>(outcome));
  return *std::get<const node_entry*>(outcome);
}

inline node_refusal refused(const std::variant<const node_entry*, node_refusal>& outcome) {
  REQUIRE(std::holds_alternative<node_refusal>(outcome));
  return std::get<node_refusal>(outcome);
}

} // namespace troupe::test
