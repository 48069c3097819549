#pragma once

#include "actors/protocol/register_messages.hpp"
#include "nodes/routing/node_messages.hpp"

#include <caf/all.hpp>

namespace troupe::test {

struct node_types : caf::actor_system_config {
  node_types() {
    register_messages(*this);
    register_node_messages(*this);
    set("scheduler.max-threads", std::size_t{1});
  }
};

/// An actor system that knows all messages and has no network.
struct local_system {
  node_types config;
  caf::actor_system system{config};
};

} // namespace troupe::test
