#pragma once

#include "model/metrics/results.hpp"

#include <iosfwd>

namespace troupe {

/// Writes `schedulers.csv`: a header, then a row per interval and scheduler; in a long run, or with
/// many schedulers, a row per several intervals.
void write_schedulers(std::ostream& out, const run_results& results);

} // namespace troupe
