#pragma once

#include "actors/machine/executor.hpp"
#include "actors/reach.hpp"
#include "actors/run_clock.hpp"
#include "model/catalog.hpp"
#include "nodes/node_messages.hpp"
#include "settings/settings.hpp"

#include <caf/actor.hpp>
#include <caf/fwd.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

namespace troupe {

/// The machines that a node emulates, and what runs their tasks.
class machine_rack {
public:
  /// How each machine reaches others.
  using reach_maker = std::function<reach_function(machine_id)>;

  /// Starts `machines`, in the life `life`, and the actor that stands for the node. With queues
  /// where schedulers probe. `settings` are read only here.
  machine_rack(caf::actor_system& system, const run_settings& settings,
               const std::shared_ptr<const catalog>& all, const machine_numbers& machines,
               incarnation life, const run_clock& clock, const reach_maker& reach);

  const std::vector<task_host_actor>& machines() const { return *machines_; }
  const node_actor& node() const { return node_; }
  incarnation life() const { return life_; }

  /// Has the machines finish what they have, and take nothing more.
  void leave();

  /// What was counted since the start.
  node_status status() const { return runs_->status(); }

  /// Returns whether nothing runs and, once they are to leave, nothing waits in their queues.
  bool is_empty() const;

  /// Ends all of it. Appends those that are to be waited for.
  void quit(std::vector<caf::strong_actor_ptr>& ending);

private:
  machine_numbers numbers_;
  incarnation life_;
  std::shared_ptr<node_executor> runs_;
  std::shared_ptr<std::vector<task_host_actor>> machines_; ///< by number, of the whole cluster
  std::shared_ptr<std::atomic<std::uint32_t>> to_empty_;   ///< machines that are not, yet
  node_actor node_;
  caf::actor pulse_;
};

} // namespace troupe
