#pragma once

#include "actors/handles.hpp"
#include "actors/membership.hpp"
#include "actors/run_clock.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <functional>

namespace troupe {

struct candidate_config {
  role what = role::owner;  ///< that it can become
  std::uint32_t number = 0; ///< its own, among all candidates of that role
  duration heartbeat = std::chrono::milliseconds{500};
  reach_function reach;
  std::function<void(const promotion&)> start; ///< starts the member, on the candidate's side
  run_clock clock;
};

struct candidate_state {
  static inline const char* name = "candidate";

  candidate_state() = default;

  candidate_config config;
};

/// One who waits to take the place of an owner or a scheduler that has died. Ends once it has.
candidate_actor::behavior_type candidate(candidate_actor::stateful_pointer<candidate_state> self,
                                         candidate_config config);

} // namespace troupe
