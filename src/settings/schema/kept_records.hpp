#pragma once

#include "settings/schema/settings.hpp"

namespace troupe {

/// Returns whether the results of a run have the metrics of parallel jobs: with a queue discipline,
/// or if a workload asks for them. Not in a cluster whose jobs come from clients: the metrics need
/// memory for each job, and a cluster may run for years.
bool measures_jobs(const run_settings& settings);

/// Returns the level of the schedulers' records: that of the settings, and at least the level that
/// these metrics need.
record_level kept_records(const run_settings& settings);

} // namespace troupe
