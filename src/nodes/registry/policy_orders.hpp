#pragma once

#include "nodes/routing/policy_messages.hpp"

#include <span>
#include <vector>

/// The orders of clients for the policies of schedulers, as every node keeps them.
namespace troupe {

/// Adds `more` to `orders`, and keeps only the latest order for each scheduler: each scheduler is
/// in one order at most. The result, which is ascending by time, does not depend on the sequence in
/// which nodes receive orders. Returns whether `orders` has changed.
bool merge_orders(std::vector<policy_order>& orders, std::span<const policy_order> more);

/// Returns the order for a scheduler, or null if there is none.
const policy_order* order_for(std::span<const policy_order> orders, scheduler_id scheduler);

/// Returns orders whose times are in ns since 1970 with times of a cluster that began at `origin`.
/// Those from before its begin count from its first instants on, in their order.
std::vector<policy_order> since_origin(std::vector<policy_order> by_utc, std::int64_t origin);

/// Returns the time of the latest order; 0 if there is none.
instant latest_order(std::span<const policy_order> orders);

} // namespace troupe
