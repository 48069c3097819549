#pragma once

#include "actors/common/light_actor.hpp"

#include <caf/abstract_actor.hpp>
#include <caf/actor_cast.hpp>
#include <caf/actor_control_block.hpp>

#include <type_traits>

namespace troupe::test {

/// Returns the state of an actor in virtual time, where no message is handled while a test reads
/// it. `Actor` is the interface that it was spawned with.
template <class Actor, class State, class Handle>
const State& state_of(const Handle& handle) {
  using pointer = typename Actor::template stateful_pointer<State>;
  const auto* actor = caf::actor_cast<caf::strong_actor_ptr>(handle)->get();
  return dynamic_cast<const std::remove_pointer_t<pointer>&>(*actor).state;
}

/// The same of a light actor.
template <class State, class Handle>
const State& light_state_of(const Handle& handle) {
  const auto* actor = caf::actor_cast<caf::strong_actor_ptr>(handle)->get();
  return dynamic_cast<const light_actor_of<State>&>(*actor).state;
}

} // namespace troupe::test
