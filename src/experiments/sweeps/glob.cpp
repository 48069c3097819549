#include "experiments/sweeps/glob.hpp"

namespace troupe {

bool fits(std::string_view pattern, std::string_view name) {
  if (pattern.empty())
    return name.empty();
  if (pattern.front() != '*')
    return !name.empty() && name.front() == pattern.front() &&
           fits(pattern.substr(1), name.substr(1));
  for (std::size_t n = 0;; ++n) {
    if (fits(pattern.substr(1), name.substr(n)))
      return true;
    if (n == name.size() || std::string_view("[],").find(name[n]) != std::string_view::npos)
      return false;
  }
}

} // namespace troupe
