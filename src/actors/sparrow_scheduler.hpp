#pragma once

#include "actors/handles.hpp"
#include "actors/run_clock.hpp"
#include "actors/sparrow_core.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace troupe {

struct sparrow_scheduler_config {
  scheduler_id id = 0;
  std::uint32_t group = 0; ///< that it belongs to
  std::shared_ptr<const catalog> machines;
  /// How to reach the machines, by number.
  std::shared_ptr<const std::vector<queueing_machine_actor>> handles;
  sparrow_limits limits;
  /// Monitor the machines, and run elsewhere what was on those that die. With many schedulers and
  /// machines that is many monitors; a `gone` message does the same.
  bool watch_machines = false;
  random_stream random;
  run_clock clock;
};

struct sparrow_scheduler_state {
  static inline const char* name = "sparrow";

  sparrow_scheduler_state() = default;

  sparrow_scheduler_config config;
  std::optional<sparrow_core> core;
  std::unordered_map<caf::actor_id, machine_id> machine_of;
  sparrow_outbox out;
  bool ready = false;
  bool deciding = false;
  instant decision_due{0}; ///< when the decision under way, or the last one, has taken its time
};

/// A Sparrow scheduler (Ousterhout et al., Sparrow, SOSP 2013): probes machines for each job, or
/// reserves places in their queues, and hands tasks out as machines ask for them. Messages to and
/// from machines are not repeated; see `queueing_machine`.
sparrow_scheduler_actor::behavior_type
sparrow_scheduler(sparrow_scheduler_actor::stateful_pointer<sparrow_scheduler_state> self,
                  sparrow_scheduler_config config);

} // namespace troupe
