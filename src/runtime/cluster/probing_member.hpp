#pragma once

#include "actors/plugin/queue_plugin_member.hpp"
#include "actors/sparrow/sparrow_scheduler.hpp"
#include "runtime/cluster/state_of.hpp"

#include <optional>

namespace troupe {

/// A scheduler that uses the queues of machines if failures are watched, as it is compared with
/// other members' books: a built-in one, or the member in front of a plugin.
struct probing_member {
  const probing_core* core;
  const sparrow_session* session;

  /// Returns the parts of a scheduler, or nothing once it has ended.
  static std::optional<probing_member> of(const simulated_cluster::process& who) {
    if (const auto* state = state_of<sparrow_scheduler_actor, sparrow_scheduler_state>(who);
        state != nullptr && state->core && state->tie)
      return probing_member{&*state->core, state->session()};
    if (const auto* state = state_of<queue_plugin_actor, queue_plugin_state>(who);
        state != nullptr && state->core && state->tie)
      return probing_member{&*state->core, state->session()};
    return std::nullopt;
  }
};

} // namespace troupe
