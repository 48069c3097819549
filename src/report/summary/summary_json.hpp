#pragma once

#include "model/metrics/results.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace troupe {

/// Returns the contents of `summary.json` for a run. Values that depend on the host are under
/// `host` only.
///
/// Times are in s; shares and fractions are numbers, 1 being the whole. `tasks`, `conflicts`,
/// `scheduling_delay_s` and so on mean the same at the top, in a phase and in a group; momentary
/// counts (queued, in_commit, running) are those at the end of the run or of the phase. A phase has
/// the intervals whose middle lies in it. Delays and responses include open tasks and jobs: see
/// `delay_json` and `response_json`. `staleness_s` has the mean over time and the extremes of a
/// view's age, which is the mean over its partitions; `placement_staleness_s` is the age of the
/// partitions on which accepted placements were decided. Numbers have nine significant digits;
/// values that were not measured (the mean delay of no tasks) are null.
nlohmann::ordered_json summary_json(const run_results& results);

/// Returns the text of `summary.json`, with a newline at its end.
std::string summary_text(const run_results& results);

} // namespace troupe
