#include "policies/quality_first.hpp"

#include <ranges>

namespace troupe {

namespace {

/// Returns the partition of the highest mean for a class of tasks of those that are not in `tried`,
/// looking from `start` on; the number of partitions if there is none with a free unit.
partition_id next_best_partition(const view& seen, std::uint32_t task_class, partition_id start,
                                 const std::vector<bool>& tried) {
  partition_id best = seen.partitions();
  double mean = 0;
  const auto means = seen.mean_weights(task_class);
  const auto look = [&](partition_id from, partition_id to) {
    for (auto p = from; p < to; ++p)
      if (means[p] > mean && !tried[p]) {
        best = p;
        mean = means[p];
      }
  };
  look(start, seen.partitions());
  look(0, start);
  return best;
}

} // namespace

std::optional<machine_id> quality_first::pick(const view& seen, const task_request& task,
                                              decision_context& context) {
  const auto n = seen.partitions();
  const auto start = static_cast<partition_id>(context.random.below(n));
  auto p = seen.best_partition(start, task.task_class);
  const auto below_unit = [&] {
    const auto from_start = std::views::iota(partition_id{0}, n) |
                            std::views::transform([&](partition_id k) { return (start + k) % n; });
    return seen.sample_below_unit(from_start, task, context.random);
  };
  if (p == n)
    return below_unit();
  if (auto m = seen.sample_by_score(p, task, context.random))
    return m;
  tried_.assign(n, false);
  for (;;) {
    tried_[p] = true;
    p = next_best_partition(seen, task.task_class, start, tried_);
    if (p == n)
      return below_unit();
    if (auto m = seen.sample_by_score(p, task, context.random))
      return m;
  }
}

} // namespace troupe
