#pragma once

#include "model/base/resource_sum.hpp"
#include "model/cluster/catalog.hpp"

#include <span>
#include <vector>

namespace troupe {

/// Returns what the machines have together: by the catalog, or in a cluster that grows, those that
/// are there, as they say.
inline resource_sum present_capacity(const catalog& machines) {
  resource_sum sum;
  if (const auto& growth = machines.growth()) {
    for (const auto& has : growth->capacities())
      sum += has;
    return sum;
  }
  for (machine_id m = 0; m < machines.machines(); ++m)
    sum += machines.machine(m).capacity;
  return sum;
}

/// The same for the machines of some partitions.
inline resource_sum present_capacity(const catalog& machines,
                                     std::span<const partition_id> partitions) {
  resource_sum sum;
  const auto& growth = machines.growth();
  const auto has = growth ? growth->capacities() : std::vector<resources>{};
  for (const auto p : partitions)
    for (const auto m : machines.members(p))
      sum += growth ? has[m] : machines.machine(m).capacity;
  return sum;
}

} // namespace troupe
