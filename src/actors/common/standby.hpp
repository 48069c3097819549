#pragma once

#include "actors/common/member_session.hpp"
#include "actors/common/run_clock.hpp"
#include "actors/protocol/handles.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <functional>

namespace troupe {

struct standby_config {
  role what = role::owner;  ///< the role that it can take
  std::uint32_t number = 0; ///< its own, among all standbys of that role
  duration heartbeat = std::chrono::milliseconds{500};
  reach_function reach;
  std::function<void(const promotion&)> start; ///< starts the member, on the standby's side
  run_clock clock;
};

struct standby_state {
  static inline const char* name = "standby";

  standby_state() = default;

  standby_config config;
};

/// A standby: takes the place of an owner or a scheduler that has died, and ends then.
standby_actor::behavior_type standby(standby_actor::stateful_pointer<standby_state> self,
                                     standby_config config);

} // namespace troupe
