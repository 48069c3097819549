#pragma once

#include "model/live/live_board.hpp"
#include "nodes/agent/cluster_events.hpp"
#include "nodes/agent/hosted/joined_cluster.hpp"
#include "nodes/agent/hosted/node_context.hpp"
#include "nodes/agent/hosted/node_roster.hpp"
#include "nodes/policies/policy_history.hpp"

#include <cstddef>
#include <vector>

namespace troupe {

/// What happens to the cluster while the workload runs, for its results: nodes and members that
/// come and go, and policies that clients order.
class work_history {
public:
  work_history(const node_context& node, const joined_cluster& cluster, const node_roster& roster)
    : node_(node), cluster_(cluster), roster_(roster) {}

  /// The list of nodes has these orders.
  void learn(const std::vector<policy_order>& orders) { policies_.learn(orders); }

  /// Notes what has changed since the last call. `from`: when the workload began. New orders are
  /// also shown on the board.
  void look(instant from, live_board& shown);

  const std::vector<run_event>& events() const { return events_.events(); }

  /// The changes of policies of whole groups that clients have ordered so far.
  const std::vector<policy_change_settings>& policy_changes() const { return policies_.changes(); }

  /// The most nodes with machines at a time.
  std::size_t most_machines() const { return most_machines_; }

private:
  std::vector<member_home> homes() const;

  const node_context& node_;
  const joined_cluster& cluster_;
  const node_roster& roster_;
  cluster_events events_;
  policy_history policies_;
  std::size_t most_machines_ = 0;
};

} // namespace troupe
