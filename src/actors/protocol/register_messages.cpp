#include "actors/protocol/register_messages.hpp"

#include "actors/protocol/messages.hpp"

#include <caf/actor_system_config.hpp>

namespace troupe {

void register_messages(caf::actor_system_config& config) {
  config.add_message_types<caf::id_block::troupe>();
}

} // namespace troupe
