#pragma once

#include "model/protocol/fault.hpp"
#include "settings/schema/settings.hpp"

#include <vector>

namespace troupe {

/// Returns the failures of `settings.faults`, in the order of their beginnings. Throws
/// `std::runtime_error` with a message for the user if the trace of failures cannot be read.
std::vector<fault> planned_faults(const run_settings& settings);

/// Returns these and the failures that the seed determines for a run under chaos, in the same
/// order.
std::vector<fault> chaos_faults(const run_settings& settings);

/// Returns whether members send heartbeats in a run: the settings request it, or there are failures
/// to detect.
bool watches_failures(const run_settings& settings);

} // namespace troupe
