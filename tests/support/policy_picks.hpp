#pragma once

#include "policies/policy.hpp"
#include "support/model_builders.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace troupe::testing {

/// Requests one machine from `policy`.
inline std::optional<machine_id> pick(placement_policy& policy, const view& seen,
                                      random_stream& random, const resources& demand = one_slot) {
  decision_context context{instant{0}, random};
  return policy.pick(seen, {{1, 0}, demand}, context);
}

/// Returns how often each machine is picked in `n` picks from the same view.
inline std::vector<std::uint64_t> count_picks(placement_policy& policy, const view& seen, int n,
                                              random_stream random,
                                              const resources& demand = one_slot) {
  std::vector<std::uint64_t> counts(seen.machines().machines());
  for (int i = 0; i < n; ++i)
    ++counts.at(pick(policy, seen, random, demand).value());
  return counts;
}

/// Returns score times free slots of every machine of the partitions in `among`; 0 elsewhere.
inline std::vector<double> weights_of(const view& seen, const std::vector<partition_id>& among) {
  const auto& machines = seen.machines();
  std::vector<double> weights(machines.machines());
  for (machine_id m = 0; m < machines.machines(); ++m)
    if (std::find(among.begin(), among.end(), machines.place_of(m).partition) != among.end())
      weights[m] = machines.machine(m).score * std::max(0, seen.free(m)[resource::slots]);
  return weights;
}

/// Charges all free resources of the machines of a partition.
inline void fill(view& seen, partition_id p) {
  for (auto m : seen.machines().members(p))
    seen.take(m, seen.free(m));
}

} // namespace troupe::testing
