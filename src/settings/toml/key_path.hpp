#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// Returns the path of the key `name` in the table at `table`, which is empty for the root:
/// "table.name".
inline std::string key_path(std::string_view table, std::string_view name) {
  std::string path(table);
  if (!path.empty())
    path += '.';
  return path += name;
}

} // namespace troupe
