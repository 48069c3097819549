#include "settings/schema/read_plugins.hpp"

#include "policies/plugin_library.hpp"

#include <filesystem>

namespace troupe {

void load_plugins(const document& from, problems& found) {
  const auto* table = from.root()["plugins"].as_table();
  const auto* paths = table == nullptr ? nullptr : (*table)["paths"].as_array();
  if (paths == nullptr)
    return; // the usual checks refuse other entries
  for (std::size_t i = 0; i < paths->size(); ++i)
    if (const auto* path = (*paths)[i].as_string())
      try {
        load_plugin(path->get());
      } catch (const plugin_error& e) {
        found.refuse("plugins.paths." + std::to_string(i), e.what());
      }
}

std::string absolute_path(const std::string& path) {
  std::error_code error;
  const auto real = std::filesystem::canonical(path, error);
  return error ? path : real.string();
}

} // namespace troupe
