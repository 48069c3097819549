#pragma once

#include <filesystem>

namespace troupe {

/// Runs again from `directory`/config.toml and prints whether the results are the same as those in
/// `directory`, which stays as it is. Returns the exit code. Throws `usage_error` if there is
/// nothing that could be compared: no results, those of a run in real time or of one that was
/// interrupted.
int verify(const std::filesystem::path& directory, bool quiet);

} // namespace troupe
