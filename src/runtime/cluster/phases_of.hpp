#pragma once

#include "model/metrics/results.hpp"
#include "settings/schema/settings.hpp"

#include <vector>

namespace troupe {

/// Returns the phases with a separate summary in a run until `end`: those of the first of the
/// groups with the most phases.
std::vector<phase_info> phases_of(const run_settings& settings, instant end);

/// Returns the instants within sampling intervals at which one of these phases begins or ends, in
/// order. The recorder takes samples there, too, so that no row belongs to two phases.
std::vector<instant> phase_ends_within_intervals(const run_settings& settings);

} // namespace troupe
