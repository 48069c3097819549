#pragma once

#include "settings/schema/settings.hpp"

#include <string>

namespace troupe {

/// Returns why a cluster cannot do its work within the patience of chaos, or nothing if it can.
/// Reasons are a run without an end, offers that expire before a decision, and more work than the
/// machines and the schedulers can do in a minute. Such settings are valid, and their waiting tasks
/// are no defect. Tasks that no machine or no tenant's maximum can hold are abandoned, so they may
/// be drawn.
std::string why_hopeless(const run_settings& settings);

} // namespace troupe
