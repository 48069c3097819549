#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// Returns the unit of a metric as the figures of a page take it: "s" for the times in a summary,
/// whose names end in "_s", and for those of simulated time; else "".
inline std::string metric_unit(std::string_view value) {
  if (value.starts_with("{") && value.ends_with("}"))
    value = value.substr(1, value.size() - 2);
  if (value.find_first_of("{}+*/() ") != std::string_view::npos)
    return "";
  const auto time = value.find("_s.") != std::string_view::npos || value.ends_with("_s") ||
                    value.ends_with("_seconds");
  return time ? "s" : "";
}

} // namespace troupe
