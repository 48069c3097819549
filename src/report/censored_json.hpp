#pragma once

#include "model/metrics.hpp"

#include <nlohmann/json.hpp>

namespace troupe {

/// Mean, p50, p90, p99 and max of the scheduling delays, those of tasks that were not placed taken
/// in (`kaplan_meier`); null where nothing was measured. `at_least` names those that are lower
/// bounds. Then come the delays of what was placed alone (`placed`), the ages of what waits
/// (`waiting`), and how long what was abandoned had waited (`abandoned`), each with its count.
nlohmann::ordered_json delay_json(const scheduler_sample& s);

/// The same, and p95, for the responses of jobs: `finished` ones alone, the ages of what is not
/// over
/// (`open`), and the time until the end of what is over and did not finish (`broken`).
nlohmann::ordered_json response_json(const scheduler_sample& s);

/// Returns the times that are not over, put together: what is open and what ended otherwise.
distribution censored_delays(const scheduler_sample& s);
distribution censored_responses(const scheduler_sample& s);

} // namespace troupe
