#pragma once

#include "actors/common/machine_index.hpp"
#include "actors/common/run_clock.hpp"
#include "actors/protocol/handles.hpp"
#include "actors/sparrow/sparrow_core.hpp"
#include "actors/sparrow/sparrow_tie.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace troupe {

struct sparrow_scheduler_config {
  scheduler_id id = 0;
  std::uint32_t group = 0; ///< that it belongs to
  std::shared_ptr<const catalog> machines;
  /// How to reach the machines, by number, where nothing fails.
  std::shared_ptr<const std::vector<queueing_machine_actor>> handles{};
  sparrow_limits limits;
  /// Monitor the machines, and run the tasks of dead machines elsewhere. With many schedulers and
  /// machines these are many monitors.
  bool watch_machines = false;
  random_stream random;
  run_clock clock;
  std::optional<sparrow_session_config> session{}; ///< where failures are watched
};

struct sparrow_scheduler_state {
  static inline const char* name = "sparrow";

  sparrow_scheduler_state() = default;

  /// The session, or null where nothing fails.
  const sparrow_session* session() const { return tie ? &tie->session : nullptr; }

  sparrow_scheduler_config config;
  std::optional<sparrow_core> core;
  std::unique_ptr<sparrow_tie> tie; ///< where failures are watched
  machine_index machine_of;
  sparrow_outbox out;
  bool ready = false; ///< it may decide
  bool deciding = false;
  instant decision_due{0};        ///< the end of the present or last decision
  instant opens = instant::max(); ///< the end of a window of machines that it waits for
};

/// A Sparrow scheduler (Ousterhout et al., Sparrow, SOSP 2013): probes machines for each job, or
/// reserves places in their queues, and hands tasks out as machines ask for them.
///
/// With a session, messages to and from machines are numbered and repeated; the scheduler gives
/// silent machines up, reports ends to job stores, and takes over the jobs of an earlier
/// incarnation. Without, no message is repeated; see `queueing_machine`.
sparrow_scheduler_actor::behavior_type
sparrow_scheduler(sparrow_scheduler_actor::stateful_pointer<sparrow_scheduler_state> self,
                  sparrow_scheduler_config config);

} // namespace troupe
