#pragma once

#include "settings/problems.hpp"
#include "settings/settings.hpp"

namespace troupe {

/// An architecture is a preset of parts that can each be set by hand: fills in those parts that the
/// document does not set. Of what is put over each other (files that extend files, then options)
/// the later one counts: an architecture also replaces the parts of its preset that were set before
/// it, and takes back what was set for the preset of an earlier architecture. An option that sets a
/// part before another option asks for an architecture with another value is reported. What stands
/// in one file with its architecture is a change to it. Called before the groups are resolved.
void apply_preset(run_settings& s, problems& found);

} // namespace troupe
