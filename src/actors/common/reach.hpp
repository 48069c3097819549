#pragma once

#include "model/protocol/failure_protocol.hpp"

#include <caf/actor_control_block.hpp>

#include <functional>

namespace troupe {

/// How an actor finds others: returns the handle of a member's incarnation, of its latest one for
/// 0, or null if there is none. Handles inside messages would lead through the nodes that forwarded
/// them; these lead there directly.
using reach_function = std::function<caf::strong_actor_ptr(role, std::uint32_t, incarnation_id)>;

} // namespace troupe
