#include "nodes/agent/places_file.hpp"

#include "model/base/log.hpp"
#include "security/files.hpp"

#include <exception>
#include <fstream>
#include <iterator>

namespace troupe {

namespace {

constexpr const char* file_name = "cluster-places";

} // namespace

bool write_places(const std::filesystem::path& state, const std::string& bytes) {
  try {
    write_small_file(state / file_name, bytes, 0644, existing::replace);
    return true;
  } catch (const std::exception& e) {
    log::error("{}", e.what());
    return false;
  }
}

std::string read_places(const std::filesystem::path& state) {
  std::ifstream in{state / file_name, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

} // namespace troupe
