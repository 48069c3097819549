#pragma once

#include "model/metrics/results.hpp"
#include "model/metrics/run_sums.hpp"

#include <cstdint>
#include <ostream>

namespace troupe {

/// Returns a tenant's share over the intervals whose middle lies in the phase from `from` to `to`;
/// `instant::min()` and `instant::max()` stand for the whole run.
share_totals share_between(const run_results& results, std::uint32_t tenant, instant from,
                           instant to);

/// Writes a header, then a row per interval and tenant with the mean share and the share at the
/// end.
void write_shares(std::ostream& out, const run_results& results);

/// The header and one row of this file.
void write_shares_header(std::ostream& out);
void write_shares_row(std::ostream& out, const tenant_record& row, const run_results& of);

} // namespace troupe
