#include "support/same_file.hpp"

#include <system_error>

namespace troupe {

bool is_same_file(const std::filesystem::path& one, const std::filesystem::path& other) {
  std::error_code failure;
  return std::filesystem::equivalent(one, other, failure) && !failure;
}

} // namespace troupe
