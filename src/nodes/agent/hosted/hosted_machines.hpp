#pragma once

#include "nodes/agent/emulated_machines.hpp"
#include "nodes/agent/hosted/joined_cluster.hpp"
#include "nodes/agent/hosted/node_context.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

namespace troupe {

/// The machines of a node. In a cluster that grows the only machine may get another place, once it
/// is idle.
class hosted_machines {
public:
  hosted_machines(const node_context& node, joined_cluster& cluster)
    : node_(node), cluster_(cluster) {}

  /// Starts the machines with the node's numbers in the cluster. Throws `std::runtime_error` if the
  /// cluster runs commands and the node is no machine.
  void start();

  /// In a cluster that grows: the master's entry of this node, whose machine may have another place
  /// or be to get one. `draining`: machines take no more tasks.
  void learn_place(const node_entry& own, bool draining);

  /// Returns whether the machine is to take another place and has been idle for so long that its
  /// owner knows all. To be called often; true at most once in that time.
  bool can_move();

  /// Makes the machines finish their tasks and take no more.
  void leave();

  /// Returns the counts of tasks since the machines were started; nothing if there are none.
  std::optional<node_status> status() const;

  /// Returns whether no task runs.
  bool is_empty() const { return !running_ || running_->is_empty(); }

  /// Ends all of it. Appends those that are to be waited for.
  void quit(std::vector<caf::strong_actor_ptr>& ending);

private:
  std::shared_ptr<node_executor> executor() const;
  capacity_schedules own_schedules() const;
  void give_up_place();

  const node_context& node_;
  joined_cluster& cluster_;
  std::optional<emulated_machines> running_;
  std::shared_ptr<node_executor> executor_; ///< of the machines
  bool moves_ = false;                      ///< the machine is to take another place
  std::optional<std::chrono::steady_clock::time_point> idle_since_; ///< while it is to
};

} // namespace troupe
