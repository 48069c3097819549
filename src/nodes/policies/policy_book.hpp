#pragma once

#include "nodes/routing/node_messages.hpp"

#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace troupe {

/// Which schedulers of a node have received the orders for their policies, and the results. It is
/// not an actor; any thread may use it.
class policy_book {
public:
  /// The list of nodes has these orders.
  void learn(std::span<const policy_order> orders);

  /// Returns the order that a scheduler of this node must get now, and notes that it gets it. A new
  /// incarnation must get its order again.
  std::optional<policy_order> due(const member_entry& scheduler);

  /// A scheduler has followed the order of `at`, or keeps its policy for the reason `why_not`.
  void done(const member_entry& scheduler, instant at, std::string why_not = "");

  /// The order of `at` may not have reached the scheduler: it is due again.
  void lost(const member_entry& scheduler, instant at);

  /// What the `schedulers`, which live here, have done.
  std::vector<policy_state> states(std::span<const member_entry> schedulers) const;

private:
  struct entry {
    incarnation_id incarnation = 0;
    instant told{-1};
    instant done{-1};
    std::string why_not;
  };

  entry* find(const member_entry& scheduler);

  mutable std::mutex mutex_;
  std::vector<policy_order> orders_;
  std::map<scheduler_id, entry> entries_;
};

} // namespace troupe
