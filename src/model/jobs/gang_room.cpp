#include "model/jobs/gang_room.hpp"

#include <algorithm>

namespace troupe {

namespace {

/// Returns how many tasks of a part of a gang fit on one machine with these free resources.
std::uint64_t held_by(const machine_info& machine, const resources& free,
                      const gang_need::part& part, bool spread) {
  if (part.kinds != nullptr && !part.kinds->contains(machine.kind))
    return 0;
  const auto n = static_cast<std::uint64_t>(times_fitting(free, part.demand));
  return spread ? std::min<std::uint64_t>(n, 1) : n;
}

bool covers(const resource_sum& free, const resource_sum& need) {
  for (std::size_t k = 0; k < resource_kinds; ++k)
    if (need.amount[k] > free.amount[k])
      return false;
  return true;
}

} // namespace

bool idle_machines_hold(const catalog& machines, std::span<const partition_id> partitions,
                        const gang_need& need) {
  const auto holds = [&](const gang_need::part& part) {
    std::uint64_t tasks = 0;
    for (auto p : partitions)
      for (auto m : machines.members(p)) {
        const auto& machine = machines.machine(m);
        tasks += held_by(machine, machine.capacity, part, need.spread);
        if (tasks >= part.count)
          return true;
      }
    return part.demand.is_zero();
  };
  if (!std::ranges::all_of(need.parts, holds))
    return false;
  if (need.parts.size() == 1)
    return true;
  resource_sum capacity;
  for (auto p : partitions)
    for (auto m : machines.members(p)) {
      capacity += machines.machine(m).capacity;
      if (covers(capacity, need.total))
        return true;
    }
  return false;
}

void gang_room::look(const view& seen, bool hidden_too) {
  if (gains_ == seen.gains() && hidden_too_ == hidden_too)
    return;
  gains_ = seen.gains();
  hidden_too_ = hidden_too;
  counts_.clear();
  free_ = {};
  const auto columns = seen.machines().columns();
  for (partition_id p = 0; p < seen.partitions(); ++p) {
    if (!hidden_too && seen.hidden(p))
      continue;
    const auto& table = seen.part(p).table();
    table.cells().look([&](const auto* cell) {
      for (auto kind : columns) {
        std::int64_t sum = 0;
        for (const auto* end = cell + table.size(); cell != end; ++cell)
          sum += std::max<std::int32_t>(*cell, 0);
        free_.amount[static_cast<std::size_t>(kind)] += sum;
      }
    });
  }
}

std::uint64_t gang_room::count(const view& seen, const gang_need::part& part, bool spread) {
  for (const auto& c : counts_)
    if (c.demand == part.demand && c.kinds == part.kinds && c.spread == spread)
      return c.tasks;
  std::uint64_t tasks = 0;
  for (partition_id p = 0; p < seen.partitions(); ++p) {
    if (!hidden_too_ && seen.hidden(p))
      continue;
    const auto& of = seen.part(p);
    const auto members = seen.machines().members(p);
    for (std::uint32_t i = 0; i < of.size(); ++i)
      tasks += held_by(seen.machines().machine(members[i]), of.free(i), part, spread);
  }
  counts_.push_back({part.demand, part.kinds, spread, tasks});
  return tasks;
}

bool gang_room::may_hold(const view& seen, const gang_need& need) {
  return covers(free_, need.total) && std::ranges::all_of(need.parts, [&](const auto& part) {
           return part.demand.is_zero() || count(seen, part, need.spread) >= part.count;
         });
}

void gang_room::take(const resources& demand) {
  free_ -= demand;
  for (auto& c : counts_)
    if (c.demand == demand && c.kinds == nullptr && !c.spread && c.tasks > 0)
      --c.tasks;
}

} // namespace troupe
