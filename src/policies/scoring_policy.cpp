#include "policies/scoring_policy.hpp"

#include <cmath>
#include <stdexcept>

namespace troupe {

std::optional<machine_id> scoring_policy::pick(const view& seen, const task_request& task,
                                               decision_context& context) {
  std::optional<machine_id> best;
  double highest = 0;
  const auto look = [&](machine_id m) {
    const auto value = score(seen, task, m);
    if (std::isnan(value))
      throw std::domain_error("the score of machine " + std::to_string(m) + " for task " +
                              to_string(task.task) + " is not a number");
    if (!best || value > highest) {
      best = m;
      highest = value;
    }
  };
  for (std::uint32_t i = 0; i < candidates_; ++i) {
    const auto drawn = seen.sample_evenly(task, context.random);
    if (!drawn)
      return best;
    look(*drawn);
  }
  if (candidates_ > 0)
    return best;
  const auto& machines = seen.machines();
  for (partition_id p = 0; p < seen.partitions(); ++p)
    if (!seen.hidden(p))
      for (const auto m : machines.members(p))
        if (seen.fits(m, task.demand) && task.filter.admits(machines, m))
          look(m);
  return best;
}

} // namespace troupe
