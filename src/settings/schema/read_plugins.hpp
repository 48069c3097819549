#pragma once

#include "settings/checks/problems.hpp"

#include <string>

namespace troupe {

/// Loads the plugins that `from` names, so that their settings are known. Reports unusable plugins.
void load_plugins(const document& from, problems& found);

/// Returns the absolute form of `path`.
std::string absolute_path(const std::string& path);

} // namespace troupe
