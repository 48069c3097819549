#pragma once

#include "model/metrics/results.hpp"

#include <ostream>

namespace troupe {

/// Writes a comparison of a run with failures and the same run without: the failures, and the usual
/// figures of both, side by side.
void write_difference(std::ostream& out, const run_results& without, const run_results& with);

} // namespace troupe
