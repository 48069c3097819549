#pragma once

#include "peers/fast_random.hpp"
#include "peers/slot_table.hpp"

#include <algorithm>
#include <cstdint>

namespace troupe::peers {

inline constexpr std::uint32_t no_machine = ~0U;

/// Returns a machine of the most recently refreshed partitions that have a free slot in the view,
/// drawn by weight. With `groups` sync groups, partitions with equal remainders have equal ages;
/// those of `freshest` are the newest, then follow the next remainders.
inline std::uint32_t pick_latency_first(const slot_table& view, std::uint32_t partitions,
                                        std::uint32_t groups, std::uint32_t freshest,
                                        fast_random& random) {
  for (std::uint32_t k = 0; k < groups; ++k) {
    const auto first = freshest + k < groups ? freshest + k : freshest + k - groups;
    std::uint64_t weight = 0;
    for (auto p = first; p < partitions; p += groups)
      weight += view.weight(p);
    if (weight == 0)
      continue;
    auto at = random.below(weight);
    auto p = first;
    for (; at >= view.weight(p); p += groups)
      at -= view.weight(p);
    return view.machine_at(p, at);
  }
  return no_machine;
}

/// Returns a machine of the partition with the highest mean weight of its free slots, drawn by
/// weight. Of equal partitions it takes the first from a random one on.
inline std::uint32_t pick_quality_first(const slot_table& view, fast_random& random) {
  const auto& means = view.means();
  const auto n = static_cast<std::uint32_t>(means.size());
  std::int32_t best = 0;
  for (const auto mean : means)
    best = std::max(best, mean);
  if (best == 0)
    return no_machine;
  const auto start = static_cast<std::ptrdiff_t>(random.below(n));
  auto found = std::find(means.begin() + start, means.end(), best);
  if (found == means.end())
    found = std::find(means.begin(), means.begin() + start, best);
  const auto p = static_cast<std::uint32_t>(found - means.begin());
  return view.machine_at(p, random.below(view.weight(p)));
}

} // namespace troupe::peers
