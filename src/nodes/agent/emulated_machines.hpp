#pragma once

#include "actors/common/reach.hpp"
#include "actors/common/run_clock.hpp"
#include "actors/machine/executor.hpp"
#include "model/cluster/catalog.hpp"
#include "model/machine/capacity_schedule.hpp"
#include "nodes/routing/node_messages.hpp"
#include "runtime/cluster/machine_factory.hpp"
#include "settings/schema/settings.hpp"

#include <caf/actor.hpp>
#include <caf/fwd.hpp>

#include <atomic>
#include <memory>
#include <vector>

namespace troupe {

/// The machines of a node, which it emulates or which are its host, and their executor.
class emulated_machines {
public:
  /// Starts `machines`, whose capacities follow `schedules`, in the incarnation `incarnation`, and
  /// the actor of the node, which all reach others by `reach`. The machines have queues if
  /// schedulers probe; `runs` runs their tasks. `settings` are read only here.
  emulated_machines(caf::actor_system& system, const run_settings& settings,
                    const std::shared_ptr<const catalog>& all, const capacity_schedules& schedules,
                    const machine_numbers& machines, incarnation_id incarnation,
                    const run_clock& clock, reach_function reach,
                    std::shared_ptr<node_executor> runs);

  /// The machines, the first one of the node first.
  const std::vector<caf::strong_actor_ptr>& machines() const { return machines_; }
  const node_actor& node() const { return node_; }
  incarnation_id incarnation() const { return incarnation_; }

  /// Makes the machines finish their tasks and entries, and take no more.
  void leave();

  /// The counts since the start.
  node_status status() const { return runs_->status(); }

  /// Returns whether nothing runs and, once they are to leave, nothing waits in their queues.
  bool is_empty() const;

  /// Ends all of it. Appends those that are to be waited for.
  void quit(std::vector<caf::strong_actor_ptr>& ending);

private:
  machine_numbers numbers_;
  incarnation_id incarnation_;
  std::shared_ptr<node_executor> runs_;
  std::vector<caf::strong_actor_ptr> machines_;
  std::shared_ptr<std::atomic<std::uint32_t>> to_empty_; ///< machines that are not, yet
  node_actor node_;
  caf::actor pacer_;
};

} // namespace troupe
