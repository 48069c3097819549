#include "actors/machine/machine_core.hpp"

#include <algorithm>

namespace troupe {

bool machine_core::start(const launch_order& order, executor& runs_on, instant now) {
  if (!free_.fits(order.demand)) {
    runs_on.refuse(id_, order);
    return false;
  }
  free_ -= order.demand;
  running_.push_back({order.task, runs_on.start(id_, order, now), order.demand});
  return true;
}

machine_core::running_task machine_core::erase(tasks::iterator it) {
  const auto was = *it;
  free_ += was.demand;
  running_.erase(it);
  return was;
}

std::optional<machine_core::running_task> machine_core::kill(const task_id& task,
                                                             executor& runs_on) {
  const auto it = std::ranges::find(running_, task, &running_task::task);
  if (it == running_.end())
    return std::nullopt;
  runs_on.kill(id_, it->run);
  return erase(it);
}

void machine_core::kill_all(executor& runs_on) {
  for (const auto& r : running_) {
    runs_on.kill(id_, r.run);
    free_ += r.demand;
  }
  running_.clear();
}

std::optional<machine_core::running_task> machine_core::end(run_number run) {
  const auto it = std::ranges::find(running_, run, &running_task::run);
  if (it == running_.end())
    return std::nullopt;
  return erase(it);
}

void machine_core::forget_ended(const executor& runs_on) {
  for (auto it = running_.begin(); it != running_.end();)
    if (runs_on.has_ended(it->run)) {
      free_ += it->demand;
      it = running_.erase(it);
    } else {
      ++it;
    }
}

bool machine_core::runs(const task_id& task) const {
  return std::ranges::find(running_, task, &running_task::task) != running_.end();
}

} // namespace troupe
