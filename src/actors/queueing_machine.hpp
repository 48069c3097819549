#pragma once

#include "actors/handles.hpp"
#include "actors/machine/executor.hpp"
#include "actors/queue_meter.hpp"
#include "actors/queueing_machine_core.hpp"
#include "actors/run_clock.hpp"
#include "model/random.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <memory>
#include <vector>

namespace troupe {

/// Whom machines with queues talk to, by number. Filled by whoever wires the cluster, before the
/// first message.
struct machine_neighbours {
  std::vector<sparrow_scheduler_actor> schedulers; ///< none where a scheduler is of another kind
  std::vector<queueing_machine_actor> machines;
};

/// What all machines with queues of a node share.
struct queueing_machine_config {
  std::shared_ptr<executor> runs_on;
  queue_discipline discipline = queue_discipline::fifo;
  std::vector<double> weights; ///< of the tenants
  resources unit;              ///< a machine that has room for one, and nothing to do, is idle
  /// How many machines an idle one asks for work, one after the other; 0: none.
  std::uint32_t steal_attempts = 0;
  machine_id steal_below = 0; ///< only machines with lower numbers are asked
  std::uint64_t seed = 0;     ///< of the choice of whom to ask
  std::shared_ptr<machine_neighbours> neighbours;
  std::shared_ptr<queue_meter> meter;
  run_clock clock;
};

struct queueing_machine_state {
  static inline const char* name = "machine";

  queueing_machine_state() = default;

  machine_id id = 0;
  std::optional<queueing_machine_core> core;
  std::shared_ptr<const queueing_machine_config> config;
  random_stream random;
  std::uint32_t attempts_left = 0; ///< machines still to be asked for work
  bool stealing = false;           ///< one has been asked and has not answered
};

/// A machine with a queue. Whatever it is sent waits for its turn; a reservation becomes a request
/// for a task then. It hears of the ends of its tasks from its node. One that falls idle steals
/// from others what waits behind a long task (Delgado et al., Hawk, USENIX ATC 2015, section 3.6).
///
/// Nothing between machine and scheduler is repeated. A request or an answer that the network
/// loses holds what was reserved for ever; the task stays queued at its scheduler.
queueing_machine_actor::behavior_type
queueing_machine(queueing_machine_actor::stateful_pointer<queueing_machine_state> self,
                 machine_id id, const resources& capacity,
                 std::shared_ptr<const queueing_machine_config> config);

} // namespace troupe
