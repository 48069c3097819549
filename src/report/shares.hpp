#pragma once

#include "model/results.hpp"
#include "model/run_sums.hpp"

#include <cstdint>
#include <ostream>

namespace troupe {

/// Returns a tenant's share over the phase from `from` to `to`: over the intervals whose middle
/// lies in it; or over the whole run, from `instant::min()` to `instant::max()`.
share_totals share_between(const run_results& results, std::uint32_t tenant, instant from,
                           instant to);

/// Writes a row per interval and tenant, after a header: the mean share, and the one at the end.
void write_shares(std::ostream& out, const run_results& results);

/// The parts of that.
void write_shares_header(std::ostream& out);
void write_shares_row(std::ostream& out, const tenant_record& row, const run_results& of);

} // namespace troupe
