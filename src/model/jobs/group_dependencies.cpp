#include "model/jobs/group_dependencies.hpp"

#include "model/base/planted_faults.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

group_dependencies::group_dependencies(const job& of) {
  stages_.reserve(of.groups.size());
  std::uint32_t first = 0;
  for (const auto& group : of.groups) {
    auto& made = stages_.emplace_back();
    made.first = first;
    made.tasks = made.unfinished = group.count;
    made.blockers = static_cast<std::uint32_t>(group.after.size());
    made.released = of.submitted;
    first += group.count;
  }
}

group_dependencies::group_dependencies(const job& of, const std::vector<std::uint32_t>& over)
  : group_dependencies(of) {
  auto next = over.begin();
  for (std::uint32_t g = 0; g < stages_.size(); ++g) {
    auto& of_group = stages_[g];
    const auto end = std::lower_bound(next, over.end(), of_group.first + of_group.tasks);
    of_group.unfinished -= static_cast<std::uint32_t>(end - next);
    if (planted(planted_fault::early_release) && end != next)
      of_group.unfinished = 0;
    next = end;
    of_group.blockers = static_cast<std::uint32_t>(std::ranges::count_if(
      of.groups[g].after, [&](std::uint32_t parent) { return stages_[parent].unfinished > 0; }));
    of_group.whole = false;
  }
}

std::vector<std::uint32_t> group_dependencies::due() const {
  std::vector<std::uint32_t> groups;
  for (std::uint32_t g = 0; g < stages_.size(); ++g)
    if (stages_[g].blocked && stages_[g].blockers == 0)
      groups.push_back(g);
  return groups;
}

group_dependencies::released_tasks group_dependencies::release(std::uint32_t group, instant at) {
  auto& of = stages_[group];
  of.blocked = false;
  of.released = at;
  return {of.first, of.whole ? of.tasks : 0, std::exchange(of.held, {})};
}

std::uint32_t group_dependencies::group_of(std::uint32_t task) const {
  const auto behind = std::ranges::upper_bound(stages_, task, {}, &stage::first);
  return static_cast<std::uint32_t>(behind - stages_.begin()) - 1;
}

bool group_dependencies::hold(std::uint32_t task) {
  auto& of = stages_[group_of(task)];
  if (of.blocked)
    of.held.push_back(task);
  return of.blocked;
}

std::vector<std::uint32_t> group_dependencies::close(const job& of, std::uint32_t task) {
  std::vector<std::uint32_t> groups;
  const auto ended = group_of(task);
  if (--stages_[ended].unfinished > 0)
    return groups;
  for (auto g = ended + 1; g < stages_.size(); ++g)
    for (const auto parent : of.groups[g].after)
      if (parent == ended && stages_[g].blocked && --stages_[g].blockers == 0)
        groups.push_back(g);
  return groups;
}

std::vector<std::uint32_t> group_dependencies::take_blocked() {
  std::vector<std::uint32_t> tasks;
  for (auto& of : stages_) {
    if (!std::exchange(of.blocked, false))
      continue;
    if (std::exchange(of.whole, false))
      for (std::uint32_t i = 0; i < of.tasks; ++i)
        of.held.push_back(of.first + i);
    tasks.insert(tasks.end(), of.held.begin(), of.held.end());
    of.held.clear();
  }
  return tasks;
}

} // namespace troupe
