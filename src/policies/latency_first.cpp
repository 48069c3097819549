#include "policies/latency_first.hpp"

namespace troupe {

std::optional<machine_id> latency_first::pick(const view& seen, const task_request& task,
                                              decision_context& context) {
  const auto order = seen.by_freshness();
  const auto partitions = seen.units() == 0 ? 0 : order.size();
  for (std::size_t first = 0; first < partitions;) {
    auto last = first;
    std::uint64_t weight = 0;
    for (; last < order.size() && seen.round(order[last]) == seen.round(order[first]); ++last)
      weight += seen.weight(order[last], task.task_class);
    if (weight > 0) {
      auto at = context.random.below(weight);
      auto i = first;
      for (; at >= seen.weight(order[i], task.task_class); ++i)
        at -= seen.weight(order[i], task.task_class);
      // The drawn partition first, then the others of its round.
      const auto n = last - first;
      for (std::size_t k = 0; k < n; ++k)
        if (auto m = seen.sample_by_score(order[first + (i - first + k) % n], task, context.random))
          return m;
    }
    first = last;
  }
  return seen.sample_below_unit(order, task, context.random);
}

} // namespace troupe
