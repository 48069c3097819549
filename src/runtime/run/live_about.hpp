#pragma once

#include "model/live/live_state.hpp"
#include "settings/schema/settings.hpp"

namespace troupe {

/// Describes a run for its live displays, before it begins. `run` and `world` are those of a run in
/// one process; a cluster sets its own.
live_about live_about_of(const run_settings& settings);

} // namespace troupe
