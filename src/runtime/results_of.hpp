#pragma once

#include "actors/run_record.hpp"
#include "runtime/drive.hpp"
#include "runtime/stopwatch.hpp"

namespace troupe {

/// Returns how results name what schedulers are: the architecture, or, where all of them are of
/// plugins, the names of those, joined by "+"; the architecture and their names where only some
/// are.
std::string architecture_of(const run_settings& settings);

/// Returns what is known of a run before it begins: its groups, tenants and phases, and the changes
/// of policies that it will make if it lasts.
run_results about(const run_settings& settings);

/// Returns what a run has shown, its self-checks included. Takes the sums, and the
/// rows that are left, out of the record.
run_results results_of(const run_settings& settings, run_record& record,
                       const drive_outcome& outcome, const stopwatch& watch);

} // namespace troupe
