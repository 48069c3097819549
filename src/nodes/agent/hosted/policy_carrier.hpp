#pragma once

#include "nodes/agent/hosted/joined_cluster.hpp"
#include "nodes/agent/hosted/node_context.hpp"
#include "nodes/agent/hosted/resident_actors.hpp"
#include "nodes/policies/policy_book.hpp"

#include <memory>
#include <vector>

namespace troupe {

/// Carries the orders of clients for policies to the schedulers of a node, each once.
class policy_carrier {
public:
  policy_carrier(const node_context& node, const joined_cluster& cluster)
    : node_(node), cluster_(cluster) {}

  /// The list of nodes has these orders.
  void learn(const std::vector<policy_order>& orders) { book_->learn(orders); }

  /// Tells a scheduler its order, if it is due.
  void tell(const member_entry& scheduler, const caf::strong_actor_ptr& handle);

  /// The same for all schedulers here.
  void tell_all(const resident_actors& here);

  /// What the schedulers here have done.
  std::vector<policy_state> states(const resident_actors& here) const {
    return book_->states(here.members(role::scheduler));
  }

private:
  const node_context& node_;
  const joined_cluster& cluster_;
  /// Shared with the requests that wait for answers of schedulers.
  std::shared_ptr<policy_book> book_ = std::make_shared<policy_book>();
};

} // namespace troupe
