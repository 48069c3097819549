#include "model/base/resources.hpp"

namespace troupe {

std::string to_string(const resources& r) {
  static constexpr const char* names[] = {"cpu ", "memory ", "gpu ", "slots "};
  static constexpr const char* units[] = {"m", "Mi", "m", ""};
  std::string out;
  for (std::size_t i = 0; i < resource_kinds; ++i)
    if (r.amount[i] != 0) {
      if (!out.empty())
        out += ", ";
      out += names[i] + std::to_string(r.amount[i]) + units[i];
    }
  return out.empty() ? "nothing" : out;
}

} // namespace troupe
