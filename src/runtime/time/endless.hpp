#pragma once

#include "settings/schema/settings.hpp"

#include <string>

namespace troupe {

/// Returns why a run without a duration would never end, or nothing if it may end. Unless failures
/// are watched, lost messages of schedulers that probe machines are not repeated. An offer that
/// expires before the shortest decision places nothing.
std::string why_endless(const run_settings& settings);

} // namespace troupe
