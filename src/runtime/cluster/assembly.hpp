#pragma once

#include "actors/common/run_clock.hpp"
#include "actors/protocol/handles.hpp"
#include "actors/queue/queueing_machine.hpp"
#include "actors/recorder/run_record.hpp"
#include "model/cluster/catalog.hpp"
#include "model/explain/task_watch.hpp"
#include "runtime/cluster/growth_plan.hpp"
#include "settings/schema/settings.hpp"

#include <caf/fwd.hpp>

#include <memory>
#include <vector>

namespace troupe {

/// The actors of one cluster in which nothing fails, all in one process.
struct cluster {
  std::shared_ptr<const catalog> machines;
  std::shared_ptr<const std::vector<launching_actor>> machine_actors;
  /// The same machines as schedulers and each other reach them, if they have queues; else null.
  std::shared_ptr<const std::vector<queueing_machine_actor>> queues;
  std::shared_ptr<machine_neighbours> neighbours; ///< of these; else null
  std::vector<owner_actor> owners;
  std::vector<scheduler_actor> schedulers;
  std::vector<workload_actor> workloads; ///< one for each group
  std::vector<churn_actor> churns;       ///< one at most
  node_actor node;
  master_actor master;
  std::vector<allocator_actor> allocators; ///< one at most
  recorder_actor recorder;
};

/// How a cluster is assembled, besides its settings.
struct assembly_options {
  run_clock clock;
  std::shared_ptr<run_record> record;
  /// Whether every message between schedulers, owners and master goes through the clock, even one
  /// that takes no time: in virtual time, so that the seed breaks ties.
  bool virtual_time = true;
  task_watch* watch = nullptr; ///< is told of one job by schedulers and owners; null: none
  /// Of a simulated cluster: it grows in this way; null: its machines are those of the settings.
  std::shared_ptr<const growth_plan> growth{};
  double withdrawals = 0; ///< share of the jobs that workloads withdraw
};

/// Spawns a cluster as the settings describe it. Nothing happens in it until `start`. Throws
/// `std::runtime_error` if a workload cannot be read or asks for more than any machine has.
cluster assemble(caf::actor_system& system, const run_settings& settings,
                 const assembly_options& options);

/// Introduces the actors to each other, which sets them going.
void start(caf::actor_system& system, const cluster& c, const run_settings& settings,
           const assembly_options& options);

/// Tells all actors to quit.
void stop(const cluster& c);

/// Does so at the end of a scope, however that comes: a system in real time does not end before
/// its actors.
class stopper {
public:
  explicit stopper(const cluster& c) : cluster_(c) {}
  ~stopper() { stop(cluster_); }

  stopper(const stopper&) = delete;
  stopper& operator=(const stopper&) = delete;

private:
  const cluster& cluster_;
};

} // namespace troupe
