#pragma once

#include "settings/settings.hpp"

#include <string>

namespace troupe {

/// Returns why a cluster cannot do its work within the patience of chaos, or nothing if it can: a
/// run without an end, offers that end before a decision, or more work than the machines and the
/// schedulers do in a minute. Settings may be right and their work hopeless; that such tasks wait
/// is no defect. Tasks that no machine or no tenant's maximum can hold are abandoned, and are
/// drawn.
std::string why_hopeless(const run_settings& settings);

} // namespace troupe
