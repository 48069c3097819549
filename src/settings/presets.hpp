#pragma once

#include "settings/problems.hpp"
#include "settings/settings.hpp"

namespace troupe {

/// An architecture is a preset of parts that can each be set by hand: fills in those parts that
/// the document does not set. Called before the groups are resolved.
void apply_preset(run_settings& s, const problems& document);

} // namespace troupe
