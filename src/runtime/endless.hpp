#pragma once

#include "settings/settings.hpp"

#include <string>

namespace troupe {

/// Returns why a run that goes on until all tasks are over would never end, or nothing if it may:
/// what schedulers that probe machines lose is not repeated, unless failures are watched, and an
/// offer that ends before the shortest decision places nothing.
std::string why_endless(const run_settings& settings);

} // namespace troupe
