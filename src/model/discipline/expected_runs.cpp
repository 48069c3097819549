#include "model/discipline/expected_runs.hpp"

namespace troupe {

bool expected_runs::begin(const task_id& task, const run& what) {
  if (!runs_.try_emplace(task, what).second)
    return false;
  auto& at = ends_[what.end];
  at.amount += what.demand;
  ++at.tasks;
  held_ += what.demand;
  return true;
}

std::optional<expected_runs::run> expected_runs::end(const task_id& task) {
  const auto it = runs_.find(task);
  if (it == runs_.end())
    return std::nullopt;
  const auto what = it->second;
  runs_.erase(it);
  held_ -= what.demand;
  const auto at = ends_.find(what.end);
  at->second.amount -= what.demand;
  if (--at->second.tasks == 0)
    ends_.erase(at);
  return what;
}

std::optional<instant> expected_runs::next_end(instant after) const {
  const auto next = ends_.upper_bound(after);
  return next == ends_.end() ? std::nullopt : std::optional{next->first};
}

} // namespace troupe
