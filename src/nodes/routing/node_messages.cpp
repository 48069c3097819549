#include "nodes/routing/node_messages.hpp"

#include <caf/actor_system_config.hpp>

namespace troupe {

TROUPE_NODE_TYPES(TROUPE_INSPECTION, )
TROUPE_LIVE_TYPES(TROUPE_INSPECTION, )
TROUPE_WORK_TYPES(TROUPE_INSPECTION, )

void register_node_messages(caf::actor_system_config& config) {
  config.add_message_types<caf::id_block::troupe_nodes>();
}

} // namespace troupe
