#pragma once

#include "model/metrics/results.hpp"

#include <ostream>

namespace troupe {

/// Writes the measurements of a run for a terminal, in at most 80 columns: the totals, one row per
/// phase and group if there are several, and the self-checks.
void write_summary(std::ostream& out, const run_results& results);

} // namespace troupe
