#pragma once

#include "model/metrics/metrics.hpp"

#include <nlohmann/json.hpp>

namespace troupe {

/// Returns mean, p50, p90, p99 and max of the scheduling delays, including tasks that were not
/// placed (`kaplan_meier`); null if nothing was measured. `at_least` names the figures that are
/// lower bounds. Then come the delays of placed tasks alone (`placed`), the ages of waiting tasks
/// (`waiting`), and the waiting times of abandoned tasks (`abandoned`), each with its count.
nlohmann::ordered_json delay_json(const scheduler_sample& s);

/// The same, and p95, for the responses of jobs: the `finished` jobs alone, the ages of jobs that
/// are not over (`open`), and the times until the end of jobs that are over and did not finish
/// (`broken`).
nlohmann::ordered_json response_json(const scheduler_sample& s);

/// Returns the censored times, merged: those of waiting and abandoned tasks, and those of open and
/// broken jobs.
distribution censored_delays(const scheduler_sample& s);
distribution censored_responses(const scheduler_sample& s);

} // namespace troupe
