#pragma once

#include "model/metrics/results.hpp"

#include <iosfwd>

namespace troupe {

/// Writes `partitions.csv`: a header, then a row per interval and partition; in a long run a row
/// per several intervals, with many partitions a row per several neighbours.
void write_partitions(std::ostream& out, const run_results& results);

} // namespace troupe
