#pragma once

#include "model/metrics/results.hpp"

#include <ostream>

namespace troupe {

/// Writes `delays.csv`: the distribution of scheduling delays over the whole run, as a header and
/// one row for each group and bin with any task, by group and by rising delay. A bin holds the
/// delays from `from_s` to `to_s`, in s; the lowest also holds smaller ones. `placed` counts tasks
/// by their scheduling delay, `waiting` the tasks that wait at the end by their age, and
/// `abandoned` the abandoned tasks by their waiting time. Bins are at most 1.6 % wide. The format
/// is that of `timeseries.csv`.
void write_delays(std::ostream& out, const run_results& results);

} // namespace troupe
