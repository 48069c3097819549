#pragma once

#include "actors/common/reach.hpp"
#include "actors/common/run_clock.hpp"
#include "actors/machine/executor.hpp"
#include "actors/machine/machine.hpp"
#include "actors/queue/queueing_machine.hpp"
#include "model/cluster/catalog.hpp"
#include "model/machine/capacity_schedule.hpp"
#include "settings/schema/settings.hpp"

#include <caf/fwd.hpp>

#include <atomic>
#include <memory>
#include <vector>

namespace troupe {

/// The start of an incarnation of a machine if failures are watched.
struct machine_start {
  incarnation_id incarnation = 1;
  reach_function reach;
  /// Another actor, which all machines of the process share, has it show signs of life.
  bool paced = false;
  std::shared_ptr<lease_board> board{};                   ///< as in `queue_session_config`
  std::shared_ptr<std::atomic<std::uint32_t>> to_empty{}; ///< likewise
  reach_function reach_machines{};                        ///< likewise
};

/// The parts that the machines of a process share.
struct machine_parts {
  std::shared_ptr<const catalog> machines; ///< of the whole cluster
  std::shared_ptr<node_executor> runs;     ///< runs their tasks
  run_clock clock;
  bool watched = false;           ///< failures are, so machines have sessions
  capacity_schedules schedules{}; ///< their capacities over time, if failures are watched
  machine_id first = 0;           ///< of the machines of this process
  machine_id count = 0;
  instant since{0}; ///< the begin of the measurement of their queues
  /// If failures are not watched and machines have queues: how they reach others.
  std::shared_ptr<machine_neighbours> neighbours{};
};

/// Spawns the machines of a process, in virtual and in real time and on nodes, and the actor that
/// represents their node. Machines have queues if any scheduler of the run probes them.
class machine_factory {
public:
  machine_factory(caf::actor_system& system, const run_settings& settings, machine_parts parts);

  bool with_queues() const { return queues_ != nullptr; }

  /// Measures the queues; null if there are none.
  const std::shared_ptr<queue_meter>& meter() const { return meter_; }

  /// Spawns a machine, if failures are not watched.
  launching_actor spawn(machine_id m);

  /// Spawns an incarnation of a machine, if failures are watched. The node tells it the ends of
  /// its tasks from now on.
  caf::strong_actor_ptr spawn(machine_id m, const machine_start& start);

  /// Spawns the actor that represents the node and reports the ends of tasks.
  node_actor spawn_node();

private:
  machine_session_config session_with_owner(machine_id m, const machine_start& start) const;
  task_host_actor spawn_plain(machine_id m, const machine_start& start);
  task_host_actor spawn_queueing(machine_id m, const machine_start& start);

  caf::actor_system& system_;
  const run_settings& settings_;
  handling how_;
  machine_parts parts_;
  std::vector<owner_id> owner_of_; ///< the owner of each partition
  std::shared_ptr<const machine_config> plain_;
  std::shared_ptr<queue_meter> meter_;
  std::shared_ptr<const queueing_machine_config> queues_; ///< null if machines have no queues
  /// The machines as their node knows them, by number. If failures are not watched: only machines
  /// with queues.
  std::shared_ptr<std::vector<queueing_machine_actor>> queueing_;
  std::shared_ptr<std::vector<task_host_actor>> hosts_; ///< if failures are watched
};

} // namespace troupe
