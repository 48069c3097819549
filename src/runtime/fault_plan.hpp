#pragma once

#include "model/fault.hpp"
#include "settings/settings.hpp"

#include <vector>

namespace troupe {

/// Returns the failures that `settings.faults` asks for, in the order of their beginnings. Throws
/// `std::runtime_error` with a message for the user if the trace of failures cannot be read.
std::vector<fault> planned_faults(const run_settings& settings);

/// Returns these with the failures that the seed has for a run under chaos, likewise.
std::vector<fault> chaos_faults(const run_settings& settings);

/// Returns whether members show signs of life in a run, because it is asked for or there is
/// something to notice.
bool watches_failures(const run_settings& settings);

} // namespace troupe
