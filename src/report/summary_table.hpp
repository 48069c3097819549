#pragma once

#include "model/results.hpp"

#include <ostream>

namespace troupe {

/// Writes what a run measured for people to read on a terminal, in at most 80 columns: the totals,
/// one row per phase and group where there is more than one, and the self-checks.
void write_summary(std::ostream& out, const run_results& results);

} // namespace troupe
