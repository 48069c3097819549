#pragma once

#include <caf/actor_control_block.hpp>
#include <caf/scheduled_actor.hpp>

#include <cstddef>

/// Hints to the processor about the actors that are about to get a message or to run. With many
/// actors nearly all of CAF's cost per message is waiting for their memory, which lies behind
/// three pointers in a row: the actor, its stack of behaviors, the behavior. Whoever knows early
/// who comes next calls the three functions for an actor one after the other, each early enough
/// for the next. They change nothing that can be seen.
namespace troupe {

/// Fetches what it takes to put a message into the mailbox of `actor`: the counts of handles, the
/// type, and the inbox.
inline void prefetch_mailbox(const caf::actor_control_block* actor) {
  const auto* at = reinterpret_cast<const char*>(actor);
  __builtin_prefetch(at, 1);
  __builtin_prefetch(at + CAF_CACHE_LINE_SIZE, 1);
  __builtin_prefetch(at + 3 * CAF_CACHE_LINE_SIZE, 1);
}

/// Fetches the actor itself, up to the start of its state.
inline void prefetch_actor(const caf::actor_control_block* actor) {
  constexpr std::size_t lines = sizeof(caf::scheduled_actor) / CAF_CACHE_LINE_SIZE + 3;
  const auto* at = reinterpret_cast<const char*>(actor);
  for (std::size_t i = 0; i < lines; ++i)
    __builtin_prefetch(at + i * CAF_CACHE_LINE_SIZE, 1);
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
  constexpr std::size_t lines = 6;
  const auto* top = behavior_access::top(actor);
  if (top == nullptr)
    return;
  const auto* at = reinterpret_cast<const char*>(top->as_behavior_impl().get());
  for (std::size_t i = 0; i < lines; ++i)
    __builtin_prefetch(at + i * CAF_CACHE_LINE_SIZE, 1);
}

} // namespace troupe
