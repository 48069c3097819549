#pragma once

#include "runtime/cluster/simulated_cluster.hpp"

#include <caf/abstract_actor.hpp>
#include <caf/actor_cast.hpp>

#include <type_traits>

namespace troupe {

/// Returns the state of an incarnation of an actor of a simulated cluster, or null once it has
/// ended or if it is another kind of actor.
template <class Actor, class State>
const State* state_of(const simulated_cluster::process& who) {
  const auto* actor = who.handle->get();
  if (actor->getf(caf::abstract_actor::is_cleaned_up_flag) ||
      !actor->getf(caf::abstract_actor::is_initialized_flag))
    return nullptr;
  using pointer = typename Actor::template stateful_pointer<State>;
  const auto* stateful = dynamic_cast<const std::remove_pointer_t<pointer>*>(actor);
  return stateful == nullptr ? nullptr : &stateful->state;
}

} // namespace troupe
