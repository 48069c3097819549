#pragma once

#include "settings/schema/settings.hpp"

#include <string>

namespace troupe {

/// Renders settings as a TOML file with every value. Reading it again gives equal settings if `s`
/// comes from the reader.
std::string to_toml(const run_settings& s);

/// Renders every setting with its default, range, unit and meaning, as a valid TOML file: the
/// defaults with one phase of work. Lines are at most 100 columns wide.
std::string settings_reference();

} // namespace troupe
