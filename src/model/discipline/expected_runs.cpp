#include "model/discipline/expected_runs.hpp"

namespace troupe {

bool expected_runs::begin(const task_id& task, const run& what) {
  const auto [it, added] = runs_.try_emplace(task, known_run{what, {}});
  if (!added)
    return false;
  if (!latest_ || (*latest_)->first != what.end)
    latest_ = ends_.try_emplace(what.end).first;
  it->second.at = *latest_;
  auto& released = (*latest_)->second;
  released.amount += what.demand;
  ++released.tasks;
  held_ += what.demand;
  return true;
}

std::optional<expected_runs::run> expected_runs::end(const task_id& task) {
  const auto it = runs_.find(task);
  if (it == runs_.end())
    return std::nullopt;
  const auto [what, at] = it->second;
  runs_.erase(it);
  held_ -= what.demand;
  at->second.amount -= what.demand;
  if (--at->second.tasks == 0) {
    if (latest_ == at)
      latest_.reset();
    ends_.erase(at);
  }
  return what;
}

std::optional<instant> expected_runs::next_end(instant after) const {
  const auto next = ends_.upper_bound(after);
  return next == ends_.end() ? std::nullopt : std::optional{next->first};
}

} // namespace troupe
