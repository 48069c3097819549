#pragma once

#include "actors/common/run_clock.hpp"
#include "actors/machine/executor.hpp"
#include "actors/queue/queue_meter.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <memory>
#include <set>
#include <unordered_set>
#include <vector>

namespace troupe {

struct node_config {
  std::shared_ptr<node_executor> runs;
  run_clock clock;
  /// The machines by number, if they have queues: they are told the ends of their tasks.
  std::shared_ptr<const std::vector<queueing_machine_actor>> machines{};
  std::shared_ptr<queue_meter> meter{}; ///< of these machines
  /// Schedulers hear of the tasks that they have launched themselves at most this late.
  duration report_interval = std::chrono::milliseconds{100};
  /// The machines by number, where failures are watched: they are told the ends of their tasks, and
  /// tell their owners. A machine that is started again is put here.
  std::shared_ptr<const std::vector<task_host_actor>> hosts{};
};

struct node_state {
  static inline const char* name = "node";

  node_state() = default;

  node_config config;
  std::vector<owner_actor> owners;
  std::vector<queue_client_actor> schedulers; ///< none where one is of another kind
  std::set<instant> timers;                   ///< that are set
  std::vector<task_end_queue::entry> due;
  std::vector<std::vector<task_end>> by_owner;
  std::vector<started_task> started;
  std::vector<task_news> news;                ///< by scheduler
  std::unordered_set<run_number> told_killed; ///< whose ends are still to come from the executor
  bool report_pending = false;
};

/// A node of emulated machines: reports the ends of their tasks, in batches, to the owners, or to
/// the schedulers that have launched them without one.
node_actor::behavior_type node(node_actor::stateful_pointer<node_state> self, node_config config);

} // namespace troupe
