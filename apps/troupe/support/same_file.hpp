#pragma once

#include <filesystem>

namespace troupe {

/// Returns whether both name the same file, maybe by a link. One that does not exist is no other.
bool is_same_file(const std::filesystem::path& one, const std::filesystem::path& other);

} // namespace troupe
