#pragma once

#include <caf/fwd.hpp>

namespace troupe {

/// Makes an actor system know the messages of the protocol. To be called before it is made.
void register_messages(caf::actor_system_config& config);

} // namespace troupe
