#pragma once

#include "settings/checks/problems.hpp"
#include "settings/schema/settings.hpp"

namespace troupe {

/// Applies the preset of the architecture: fills in the parts that the document does not set. Each
/// part can also be set by itself. Among layers (files that extend files, then options) the later
/// one takes precedence: an architecture also replaces the parts of its preset that were set before
/// it, and resets parts that were set for the preset of an earlier architecture. Reports an option
/// that sets a part before another option selects an architecture with another value. Within one
/// file, a part overrides the preset of the architecture. Call it before the groups are resolved.
void apply_preset(run_settings& s, problems& found);

} // namespace troupe
