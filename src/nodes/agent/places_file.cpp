#include "nodes/agent/places_file.hpp"

#include "model/base/log.hpp"

#include <fstream>
#include <iterator>
#include <system_error>

namespace troupe {

namespace {

constexpr const char* file_name = "cluster-places";

} // namespace

void write_places(const std::filesystem::path& state, const std::string& bytes) {
  const auto path = state / file_name;
  const auto fresh = state / (std::string{file_name} + ".new");
  {
    std::ofstream out{fresh, std::ios::binary};
    out << bytes;
    if (!out.flush()) {
      log::error("{} cannot be written", fresh.string());
      return;
    }
  }
  std::error_code why;
  std::filesystem::rename(fresh, path, why);
  if (why)
    log::error("{} cannot be replaced: {}", path.string(), why.message());
}

std::string read_places(const std::filesystem::path& state) {
  std::ifstream in{state / file_name, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

} // namespace troupe
