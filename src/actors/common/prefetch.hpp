#pragma once

#include "actors/common/light_actor.hpp"

#include <caf/actor_control_block.hpp>
#include <caf/monitorable_actor.hpp>
#include <caf/scheduled_actor.hpp>

#include <cstddef>
#include <cstdint>

/// Hints to the processor about the actors that are about to get a message or to run. With many
/// actors nearly all of CAF's cost per message is waiting for their memory, which lies behind
/// three pointers in a row: the actor, its stack of behaviors, the behavior. Code that knows the
/// next actors early calls the functions for each, one after the other, each early enough for the
/// next. They have no visible effect. Addresses are numbers here, since a pointer may be null,
/// and nothing may be added to a null pointer.
namespace troupe {

/// Fetches the memory for putting a message into the mailbox of `actor`: the counts of handles, the
/// type, and the inbox.
inline void prefetch_mailbox(const caf::actor_control_block* actor) {
  const auto at = reinterpret_cast<std::uintptr_t>(actor);
  __builtin_prefetch(reinterpret_cast<const void*>(at), 1);
  __builtin_prefetch(reinterpret_cast<const void*>(at + CAF_CACHE_LINE_SIZE), 1);
  __builtin_prefetch(reinterpret_cast<const void*>(at + 3 * CAF_CACHE_LINE_SIZE), 1);
}

/// Fetches the actor itself, up to the start of its state.
inline void prefetch_actor(const caf::actor_control_block* actor) {
  constexpr std::size_t lines = sizeof(caf::scheduled_actor) / CAF_CACHE_LINE_SIZE + 3;
  const auto at = reinterpret_cast<std::uintptr_t>(actor);
  for (std::size_t i = 0; i < lines; ++i)
    __builtin_prefetch(reinterpret_cast<const void*>(at + i * CAF_CACHE_LINE_SIZE), 1);
}

/// Fetches the lines of a light actor with this state that it needs to accept and handle a message.
/// Reads nothing. Leaves out the fields between, which belong to CAF: a machine chosen at random
/// costs memory traffic for each of its lines.
template <class State>
[[gnu::always_inline]] inline void prefetch_light(const caf::actor_control_block* actor) {
  constexpr auto line = std::size_t{CAF_CACHE_LINE_SIZE};
  const auto at = reinterpret_cast<std::uintptr_t>(actor);
  __builtin_prefetch(reinterpret_cast<const void*>(at), 1);        // the counts of handles
  __builtin_prefetch(reinterpret_cast<const void*>(at + line), 1); // the type and the flags
  for (auto i = (line + sizeof(caf::monitorable_actor)) / line;
       i * line < line + sizeof(light_actor_of<State>); ++i)
    __builtin_prefetch(reinterpret_cast<const void*>(at + i * line), 1);
}

/// Gives access to the stack of behaviors, which CAF keeps to the actor.
struct behavior_access : caf::scheduled_actor {
  static caf::behavior* top(caf::scheduled_actor& actor) {
    auto& stack = actor.*(&behavior_access::bhvr_stack_);
    return stack.empty() ? nullptr : &stack.back();
  }
};

/// Fetches the top of the actor's stack of behaviors. Reads the actor.
inline void prefetch_stack(caf::scheduled_actor& actor) {
  __builtin_prefetch(behavior_access::top(actor));
}

/// Fetches the actor's behavior. Reads the actor and its stack of behaviors.
inline void prefetch_behavior(caf::scheduled_actor& actor) {
  constexpr std::size_t lines = 8; // of a behavior with 14 handlers, those that matter
  const auto* top = behavior_access::top(actor);
  if (top == nullptr)
    return;
  const auto at = reinterpret_cast<std::uintptr_t>(top->as_behavior_impl().get());
  for (std::size_t i = 0; i < lines; ++i)
    __builtin_prefetch(reinterpret_cast<const void*>(at + i * CAF_CACHE_LINE_SIZE), 1);
}

} // namespace troupe
