#pragma once

#include "actors/recorder/run_record.hpp"
#include "runtime/run/drive.hpp"
#include "runtime/time/stopwatch.hpp"

namespace troupe {

/// Returns the name of the architecture in results. If all schedulers are from plugins, it is the
/// names of these, joined by "+"; if only some are, the architecture and their names.
std::string architecture_of(const run_settings& settings);

/// Returns the part of the results that is known before a run begins: its groups, tenants and
/// phases, and the changes of policies that it will make if it lasts.
run_results about(const run_settings& settings);

/// Returns the results of a run, including its self-checks. Moves the sums and the remaining rows
/// out of the record.
run_results results_of(const run_settings& settings, run_record& record,
                       const drive_outcome& outcome, const stopwatch& watch);

} // namespace troupe
