#pragma once

#include "actors/handles.hpp"
#include "actors/membership.hpp"
#include "actors/run_clock.hpp"
#include "actors/sparrow_survival.hpp"
#include "actors/unheard.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <memory>
#include <optional>

namespace troupe {

struct guarded_sparrow_config {
  scheduler_id id = 0;
  std::uint32_t group = 0; ///< that it belongs to
  std::shared_ptr<const catalog> machines;
  sparrow_limits limits;
  sparrow_survival_rules rules;
  survival_rules survival; ///< everyone is reached through `reach`
  random_stream random;
  run_clock clock;
};

struct guarded_sparrow_state {
  static inline const char* name = "sparrow";

  guarded_sparrow_state() = default;

  guarded_sparrow_config config;
  std::optional<sparrow_survival> core;
  std::optional<membership> member;
  bool deciding = false;
  instant decision_due{0}; ///< when the decision under way, or the last one, has taken its time
  unheard<scheduler_status> unheard_samples;
};

/// A Sparrow scheduler, as `sparrow_scheduler`, in a cluster where failures are watched.
guarded_sparrow_actor::behavior_type
guarded_sparrow(guarded_sparrow_actor::stateful_pointer<guarded_sparrow_state> self,
                guarded_sparrow_config config);

} // namespace troupe
