#pragma once

#include "model/live/live_board.hpp"
#include "nodes/agent/cluster_events.hpp"
#include "nodes/routing/policy_messages.hpp"
#include "settings/schema/settings.hpp"

#include <cstddef>
#include <vector>

namespace troupe {

/// The orders of clients for the policies of schedulers while a workload runs: as changes of groups
/// and events for its results, and for the live displays. It is not an actor.
class policy_history {
public:
  /// The list of nodes has these orders.
  void learn(const std::vector<policy_order>& orders);

  /// Adds the orders since the last call to the events and to the live displays. `from` is the
  /// beginning of the workload: earlier orders are no events.
  void note(const run_settings& settings, instant now, instant from, live_board& shown,
            cluster_events& events);

  /// The changes of policies of whole groups so far, by the time of the workload.
  const std::vector<policy_change_settings>& changes() const { return changes_; }

private:
  std::vector<policy_order> now_; ///< as in the list of nodes
  std::vector<policy_order> all_; ///< that were heard of, by time
  std::size_t noted_ = 0;         ///< of these
  std::vector<policy_change_settings> changes_;
};

} // namespace troupe
