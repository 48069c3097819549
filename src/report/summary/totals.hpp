#pragma once

#include "model/metrics/results.hpp"
#include "model/metrics/run_sums.hpp"

#include <cstdint>
#include <optional>

namespace troupe {

/// Returns the totals of one group over the intervals whose middle lies in the phase from `from` to
/// `to`.
totals totals_between(const run_results& results, instant from, instant to, std::uint32_t group);

/// Returns the totals of one group, or of all of them, over the whole run.
totals totals_of(const run_results& results, std::optional<std::uint32_t> group = {});

} // namespace troupe
