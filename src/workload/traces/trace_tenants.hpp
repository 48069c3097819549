#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// To which tenants of the settings the jobs of a trace belong.
struct trace_tenants {
  std::vector<std::string> names; ///< in the order of the settings
  std::uint32_t otherwise = 0;    ///< of jobs that name none of these

  std::uint32_t index_of(std::string_view name) const {
    for (std::uint32_t t = 0; t < names.size(); ++t)
      if (names[t] == name)
        return t;
    return otherwise;
  }
};

} // namespace troupe
