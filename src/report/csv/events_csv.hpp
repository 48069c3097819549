#pragma once

#include "model/metrics/results.hpp"

#include <ostream>

namespace troupe {

/// Writes `events.csv`: a header and one row for each failure, each end of one, and each takeover,
/// by time (`at_s`, in s). The columns `event`, `member` and `detail` are those of `run_event`. The
/// format is that of `timeseries.csv`.
void write_events(std::ostream& out, const run_results& results);

} // namespace troupe
