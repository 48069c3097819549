#pragma once

#include "runtime/stage.hpp"

#include <caf/abstract_actor.hpp>
#include <caf/actor_cast.hpp>

#include <type_traits>

namespace troupe {

/// Returns the state of a life of an actor on a stage, or null once it has ended.
template <class Actor, class State>
const State* state_of(const stage::process& who) {
  const auto* actor = who.handle->get();
  if (actor->getf(caf::abstract_actor::is_cleaned_up_flag) ||
      !actor->getf(caf::abstract_actor::is_initialized_flag))
    return nullptr;
  using pointer = typename Actor::template stateful_pointer<State>;
  return &dynamic_cast<const std::remove_pointer_t<pointer>&>(*actor).state;
}

} // namespace troupe
