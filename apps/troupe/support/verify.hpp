#pragma once

#include <filesystem>

namespace troupe {

/// Runs `directory`/config.toml again and prints whether the results equal those in `directory`,
/// which does not change; `as_json`: as JSON. Returns the exit code. Throws `usage_error` if there
/// are no results to compare, or if they come from a run in real time or from an interrupted one.
int verify(const std::filesystem::path& directory, bool quiet, bool as_json = false);

} // namespace troupe
