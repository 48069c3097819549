#include "jobs/service/jobs/tenant_limit.hpp"

#include "model/jobs/tenants.hpp"

#include <fmt/format.h>

namespace troupe {

std::string why_over_maximum(const tenant_limit& limit, const resources& demand,
                             std::uint32_t tasks,
                             const std::vector<machine_description>& machines) {
  resource_sum capacity;
  for (const auto& m : machines)
    capacity += m.capacity;
  resource_sum wanted;
  for (std::size_t k = 0; k < resource_kinds; ++k)
    wanted.amount[k] = std::int64_t{demand.amount[k]} * tasks;
  if (within_maximum(limit.used, wanted, capacity, limit.max))
    return "";
  auto why =
    fmt::format("tenant {} may use at most {:.3g} of the machines", limit.tenant, limit.max);
  if (within_maximum({}, wanted, capacity, limit.max))
    why += fmt::format(", and uses {:.3g}", dominant_share(limit.used, capacity));
  else
    why += fmt::format(", and {} {:.3g}", tasks == 1 ? "a task asks for" : "the tasks ask for",
                       dominant_share(wanted, capacity));
  return why;
}

} // namespace troupe
