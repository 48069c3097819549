#include "model/records/longest_chain.hpp"

#include <algorithm>
#include <vector>

namespace troupe {

duration longest_chain(const job& of) {
  std::vector<duration> until(of.groups.size());
  duration longest{0};
  for (std::size_t g = 0; g < of.groups.size(); ++g) {
    const auto& group = of.groups[g];
    duration before{0};
    for (const auto parent : group.after)
      before = std::max(before, until[parent]);
    until[g] = before + *std::ranges::max_element(group.durations);
    longest = std::max(longest, until[g]);
  }
  return longest;
}

} // namespace troupe
