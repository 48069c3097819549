#pragma once

#include <string>
#include <vector>

namespace troupe {

/// A key for `--set`, as command lines are completed with it.
struct setting_key {
  std::string key;                 ///< "sync.gap"; of a list's element: "groups.0.name"
  std::string meaning;             ///< as in `troupe config`
  std::vector<std::string> values; ///< all allowed ones if they are texts or truth values, or none
};

/// Returns every setting that --set can change, in the order of `troupe config`: of each list the
/// first element, of which tables that repeat one of the top level are left out.
std::vector<setting_key> setting_keys();

} // namespace troupe
