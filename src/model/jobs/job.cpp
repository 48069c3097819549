#include "model/jobs/job.hpp"

#include <stdexcept>
#include <string>

namespace troupe {

bool has_stages(const job& j) {
  bool any = false;
  for (std::uint32_t g = 0; g < j.groups.size(); ++g)
    for (auto parent : j.groups[g].after) {
      any = true;
      if (parent >= g)
        throw std::invalid_argument("group " + std::to_string(g) + " of job " +
                                    std::to_string(j.id) + " waits for group " +
                                    std::to_string(parent) + ", which is not before it");
    }
  return any;
}

} // namespace troupe
