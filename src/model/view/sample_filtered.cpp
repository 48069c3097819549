#include "model/view/sample_filtered.hpp"

#include <algorithm>

namespace troupe {

namespace {

/// Calls `see` with the indexes of the machines of the filter's kinds, until it returns true.
template <class See>
void each_of_kinds(const catalog& machines, partition_id p, const machine_filter& filter, See see) {
  if (filter.kinds == nullptr) {
    for (std::uint32_t i = 0; i < machines.members(p).size(); ++i)
      if (see(i))
        return;
    return;
  }
  for (std::uint32_t k = 0; k < filter.kinds->kinds(); ++k)
    if (filter.kinds->contains(k))
      for (auto i : machines.members_of_kind(p, k))
        if (see(i))
          return;
}

} // namespace

std::size_t machines_of_kinds(const catalog& machines, partition_id p,
                              const machine_filter& filter) {
  std::size_t n = 0;
  for (std::uint32_t k = 0; k < filter.kinds->kinds(); ++k)
    if (filter.kinds->contains(k))
      n += machines.members_of_kind(p, k).size();
  return n;
}

std::optional<std::uint32_t> sample_filtered(const catalog& machines, partition_id p,
                                             const view_partition& part, const task_request& task,
                                             bool by_score, random_stream& random) {
  const auto weights = machines.weights(p, task.task_class);
  const auto members = machines.members(p);
  const auto mass = [&](std::uint32_t i) -> std::uint64_t {
    if (!part.fits(i, task.demand) || !task.filter.admits(machines, members[i]))
      return 0;
    const std::uint64_t units = std::max(part.units(i), 1U);
    return by_score ? units * weights[i] : units;
  };
  std::uint64_t total = 0;
  each_of_kinds(machines, p, task.filter, [&](std::uint32_t i) {
    total += mass(i);
    return false;
  });
  if (total == 0)
    return std::nullopt;
  auto at = random.below(total);
  std::optional<std::uint32_t> found;
  each_of_kinds(machines, p, task.filter, [&](std::uint32_t i) {
    const auto m = mass(i);
    if (at < m) {
      found = i;
      return true;
    }
    at -= m;
    return false;
  });
  return found;
}

} // namespace troupe
