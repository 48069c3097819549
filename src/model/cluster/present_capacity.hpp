#pragma once

#include "model/base/resource_sum.hpp"
#include "model/cluster/catalog.hpp"

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

} // namespace troupe
