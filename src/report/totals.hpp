#pragma once

#include "model/results.hpp"
#include "model/run_sums.hpp"

#include <cstdint>
#include <optional>

namespace troupe {

/// Returns the totals of one group over the phase from `from` to `to`: over the intervals whose
/// middle lies in it.
totals totals_between(const run_results& results, instant from, instant to, std::uint32_t group);

/// Returns the totals of one group, or of all of them, over the whole run.
totals totals_of(const run_results& results, std::optional<std::uint32_t> group = {});

} // namespace troupe
