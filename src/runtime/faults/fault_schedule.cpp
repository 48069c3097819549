#include "runtime/faults/fault_schedule.hpp"

#include <algorithm>

namespace troupe {

fault_schedule::fault_schedule(const std::vector<fault>& plan) {
  for (const auto& f : plan) {
    if (f.of_network())
      continue;
    edges_.push_back({f.from, &f, true});
    if (f.to != instant::max())
      edges_.push_back({f.to, &f, false});
  }
  std::ranges::stable_sort(edges_, {}, &edge::at);
}

} // namespace troupe
