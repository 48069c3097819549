#pragma once

#include "actors/run_record.hpp"
#include "runtime/drive.hpp"
#include "runtime/stopwatch.hpp"

namespace troupe {

/// Returns what a run has shown, its self-checks included. Takes the series out of the record.
run_results results_of(const run_settings& settings, run_record& record,
                       const drive_outcome& outcome, const stopwatch& watch);

} // namespace troupe
