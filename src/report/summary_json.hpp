#pragma once

#include "model/results.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace troupe {

/// Returns what `summary.json` says of a run. Whatever depends on the machine that the run was made
/// on stands under `host` and nowhere else.
///
/// Times are in s; shares and fractions are numbers, 1 being the whole. `tasks`, `conflicts`,
/// `scheduling_delay_s` and so on mean the same at the top, in a phase and in a group; counts that
/// tell of a moment (queued, in_commit, running) are of the end of the run or of the phase. A phase
/// has the intervals whose middle lies in it. Delays and responses take in what is not over:
/// see `delay_json` and `response_json`. `staleness_s` is the mean age of a view over its
/// partitions: its mean over time, and its extremes; `placement_staleness_s` is the age of the
/// partitions that accepted placements were decided on. Numbers have nine significant digits;
/// where nothing was measured (the mean delay of no tasks) they are null.
nlohmann::ordered_json summary_json(const run_results& results);

/// Returns the text of `summary.json`, with a newline at its end.
std::string summary_text(const run_results& results);

} // namespace troupe
