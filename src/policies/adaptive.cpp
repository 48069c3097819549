#include "policies/adaptive.hpp"

namespace troupe {

std::optional<machine_id> adaptive::pick(const view& seen, const task_request& task,
                                         decision_context& context) {
  return prefers_latency() ? latency_.pick(seen, task, context)
                           : quality_.pick(seen, task, context);
}

void adaptive::learn(std::span<const placement_outcome> outcomes) {
  double sum = 0;
  int accepted = 0;
  for (const auto& o : outcomes)
    if (o.accepted) {
      sum += to_seconds(o.delay);
      ++accepted;
    }
  if (accepted > 0)
    delay_.add(sum / accepted);
}

} // namespace troupe
