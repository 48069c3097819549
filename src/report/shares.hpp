#pragma once

#include "model/results.hpp"

#include <cstdint>
#include <ostream>

namespace troupe {

/// What one tenant had of the cluster over a stretch of a run, as shares of its capacity.
struct share_totals {
  double mean = 0; ///< over time
  double max = 0;  ///< greatest of those at the ends of the intervals
};

/// Returns a tenant's share over the intervals whose middle lies in `from` .. `to`.
share_totals share_between(const run_results& results, std::uint32_t tenant, instant from,
                           instant to);

/// Writes a row per interval and tenant, after a header: the mean share, and the one at the end.
void write_shares(std::ostream& out, const run_results& results);

} // namespace troupe
