#pragma once

#include <filesystem>
#include <system_error>

namespace troupe {

/// Returns whether both name the same file, maybe by a link. One that does not exist is no other.
inline bool is_same_file(const std::filesystem::path& one, const std::filesystem::path& other) {
  std::error_code failure;
  return std::filesystem::equivalent(one, other, failure) && !failure;
}

} // namespace troupe
