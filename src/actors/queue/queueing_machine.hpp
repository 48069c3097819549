#pragma once

#include "actors/common/light_actor.hpp"
#include "actors/common/reach.hpp"
#include "actors/common/run_clock.hpp"
#include "actors/machine/lease_board.hpp"
#include "actors/machine/owner_tie.hpp"
#include "actors/protocol/handles.hpp"
#include "actors/queue/queue_server.hpp"
#include "actors/queue/queue_sessions.hpp"
#include "actors/queue/work_stealing.hpp"
#include "model/machine/capacity_clock.hpp"

#include <caf/fwd.hpp>

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

namespace troupe {

/// How machines with queues reach others where nothing fails, by number. Filled before the first
/// message.
struct machine_neighbours {
  /// None where a scheduler is of another kind. Schedulers from plugins have only a part of the
  /// interface.
  std::vector<queue_client_actor> schedulers;
  std::vector<queueing_machine_actor> machines;
  node_actor node{}; ///< if a trace changes machines
};

/// The configuration that all machines with queues of a node share.
struct queueing_machine_config {
  queue_rules queue;
  resources unit; ///< a machine that has room for one, and nothing to do, is idle
  /// How many machines an idle one asks for work, one after the other; 0: none.
  std::uint32_t steal_attempts = 0;
  machine_id steal_below = 0; ///< only machines with lower numbers are asked
  machine_id machines = 0;    ///< of the cluster
  std::uint64_t seed = 0;     ///< of the choice of the machines to ask
  std::shared_ptr<machine_neighbours> neighbours{};
  run_clock clock{};
};

/// The settings of the sessions with schedulers where failures are watched.
struct queue_session_config {
  queue_session_rules rules;
  duration heartbeat = std::chrono::milliseconds{500};
  /// The board that all machines of a node share. With a board, another actor sends the heartbeats
  /// of all machines, and triggers the search for overdue messages in each.
  std::shared_ptr<lease_board> board{};
  /// Counts the machines of a node that are being drained.
  std::shared_ptr<std::atomic<std::uint32_t>> to_empty{};
  reach_function reach;
  /// How all machines of a node reach other machines, to ask them for work.
  reach_function reach_machines{};
  /// What it has over time, if a trace changes that, and from when on the trace counts. With an
  /// owner, the session with it knows the same.
  capacity_schedule capacities{};
  std::shared_ptr<const run_begin> capacities_from{};
  /// Of the session with the owner of its partition, if some schedulers place tasks.
  std::shared_ptr<const machine_session_config> owner{};
};

/// The sessions of a machine with a queue where failures are watched.
struct queue_tie {
  queue_session_config config;
  queue_sessions sessions;            ///< with schedulers that probe
  std::unique_ptr<owner_tie> owner{}; ///< if some schedulers place tasks
  capacity_clock capacity{};          ///< if none do
  instant asked_for_work{0};          ///< another machine, the last time
  instant next_heartbeat{0};
  instant looks{0};         ///< when it will look for leases that have run out
  std::uint64_t heeded = 0; ///< the version of the board that it has read
  bool to_empty = false;    ///< it is counted so
};

struct queueing_machine_state {
  static inline const char* name = "machine";

  queueing_machine_state() = default;

  /// The sessions, or null where nothing fails.
  const queue_sessions* sessions() const { return tie ? &tie->sessions : nullptr; }

  /// The session with the owner, or null where there is none.
  const machine_session* owner_session() const {
    return tie && tie->owner ? &tie->owner->session() : nullptr;
  }

  std::unique_ptr<queue_tie> tie; ///< where failures are watched
  std::shared_ptr<const queueing_machine_config> config;
  std::optional<queue_server> serves;
  work_stealing stealing;
  instant opens = instant::max(); ///< where nothing fails: the end of a window that it waits for
};

/// Spawns a machine with a queue. A task at the head of the queue starts when it fits; a
/// reservation becomes a request for a task. The node reports the ends of runs. An idle machine
/// steals entries that wait behind a long task on another machine.
///
/// With `session`, it shows signs of life to the schedulers of which it has something, tells them
/// what happens until they have heard of it, and stops what it runs for those that do not answer.
/// Signs of life, and answers to them, overtake other messages. Where some schedulers place tasks,
/// it also has a session with its owner, as a machine without a queue has; what comes through one
/// session ends with that session only. What it gives to a machine that asks for work it gives to
/// the schedulers, which order it there, so that no entry is lost. Without sessions nothing is
/// repeated: a
/// request or an answer that the network loses holds what was reserved for ever, and the task stays
/// queued at its scheduler.
///
/// A machine with windows starts no task that these keep away. Such tasks wait, and others overtake
/// them; reservations for such tasks go back to their schedulers, which reserve elsewhere.
///
/// If a trace changes what the machine has, it follows that by its clock with `session`; without,
/// another actor tells it. It then kills the tasks that do not fit any more, first of its owner by
/// the owner's rules, then of schedulers, the latest first. It drops the waiting entries of
/// schedulers that ask for more than it has, and notifies all schedulers, which send these
/// elsewhere. A machine that leaves has nothing, and so keeps nothing.
queueing_machine_actor spawn_queueing_machine(caf::actor_system& system, handling how,
                                              machine_id id, const resources& capacity,
                                              std::shared_ptr<const queueing_machine_config> config,
                                              const queue_session_config* session = nullptr);

} // namespace troupe
