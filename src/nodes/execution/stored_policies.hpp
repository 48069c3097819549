#pragma once

#include "jobs/store/rows.hpp"
#include "nodes/routing/policy_messages.hpp"

#include <cstdint>
#include <vector>

/// Orders for policies as the store of jobs keeps them.
namespace troupe {

/// Returns a row for each scheduler of orders of a cluster that began at `origin`.
std::vector<ordered_policy_row> rows_of(const std::vector<policy_order>& orders,
                                        std::int64_t origin);

/// Returns the orders of such rows, with times in ns since 1970. Rows that cannot be read are left
/// out, with a line in the log.
std::vector<policy_order> orders_of(const std::vector<ordered_policy_row>& rows);

} // namespace troupe
