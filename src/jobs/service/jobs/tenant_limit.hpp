#pragma once

#include "model/base/resource_sum.hpp"
#include "model/cluster/machine_description.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace troupe {

/// What a tenant may use, and what it uses now.
struct tenant_limit {
  std::string tenant;
  double max = 1;    ///< dominant share of the machines that are present
  resource_sum used; ///< by the tasks that run
};

/// Returns why a tenant's maximum does not admit so many more tasks together: "tenant ci may use at
/// most 0.5 of the machines, and uses 0.5". Empty: it admits them.
std::string why_over_maximum(const tenant_limit& limit, const resources& demand,
                             std::uint32_t tasks, const std::vector<machine_description>& machines);

} // namespace troupe
