#pragma once

#include "actors/protocol/messages.hpp"
#include "nodes/routing/node_messages.hpp"

#include <caf/all.hpp>

namespace troupe::test {

struct node_types : caf::actor_system_config {
  node_types() {
    add_message_types<caf::id_block::troupe>();
    add_message_types<caf::id_block::troupe_nodes>();
    set("scheduler.max-threads", std::size_t{1});
  }
};

/// An actor system that knows all messages and has no network.
struct local_system {
  node_types config;
  caf::actor_system system{config};
};

} // namespace troupe::test
