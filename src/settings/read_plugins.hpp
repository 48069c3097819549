#pragma once

#include "settings/problems.hpp"

#include <string>

namespace troupe {

/// Loads the plugins that `from` names, so that what they add can be set; reports those that cannot
/// be used.
void load_plugins(const document& from, problems& found);

/// Returns `path` so that it means the same in any directory.
std::string absolute_path(const std::string& path);

} // namespace troupe
