#pragma once

#include "actors/common/light_actor.hpp"
#include "runtime/cluster/simulated_cluster.hpp"

#include <caf/abstract_actor.hpp>
#include <caf/actor_cast.hpp>

#include <type_traits>
#include <utility>

namespace troupe {

/// Returns the state of an incarnation of an actor of a simulated cluster that is of the class
/// `Stateful`, or null before it has begun, once it has ended, or if it is of another class.
template <class Stateful>
auto state_in(const simulated_cluster::process& who)
  -> decltype(&std::declval<const Stateful&>().state) {
  const auto* actor = who.handle->get();
  if (actor->getf(caf::abstract_actor::is_cleaned_up_flag) ||
      !actor->getf(caf::abstract_actor::is_initialized_flag))
    return nullptr;
  const auto* stateful = dynamic_cast<const Stateful*>(actor);
  return stateful == nullptr ? nullptr : &stateful->state;
}

/// The same, by the interface and the state of an actor.
template <class Actor, class State>
const State* state_of(const simulated_cluster::process& who) {
  return state_in<std::remove_pointer_t<typename Actor::template stateful_pointer<State>>>(who);
}

/// The same of a light actor.
template <class State>
const State* light_state_of(const simulated_cluster::process& who) {
  return state_in<light_actor_of<State>>(who);
}

} // namespace troupe
