#pragma once

#include <caf/actor_cast.hpp>
#include <caf/actor_control_block.hpp>
#include <caf/fwd.hpp>

#include <vector>

namespace caf {
class scheduled_actor;
}

namespace troupe {

/// Gives an actor our own handlers for what its behaviour does not cover: unexpected messages,
/// errors and exceptions go to the log with the actor's name, and exceptions end the actor. CAF's
/// own handlers print to standard output. Call it first in every actor.
void install_handlers(caf::scheduled_actor* self);

/// Turns the pointers of a `peers` message into handles.
template <class Handle>
std::vector<Handle> to_handles(const std::vector<caf::strong_actor_ptr>& pointers) {
  std::vector<Handle> handles;
  handles.reserve(pointers.size());
  for (const auto& p : pointers)
    handles.push_back(caf::actor_cast<Handle>(p));
  return handles;
}

} // namespace troupe
