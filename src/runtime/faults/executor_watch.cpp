#include "runtime/faults/executor_watch.hpp"

#include <utility>

namespace troupe {

executor_watch::executor_watch(executor_events& tells, std::shared_ptr<node_executor> inner)
  : tells_(tells), inner_(std::move(inner)) {}

run_number executor_watch::start(machine_id machine, const launch_order& order, instant now) {
  const auto run = inner_->start(machine, order, now);
  tasks_.emplace(run, order.task);
  tells_.started(machine, order, run, now);
  return run;
}

void executor_watch::kill(machine_id machine, run_number run) {
  if (const auto it = tasks_.find(run); it != tasks_.end())
    tells_.killed(machine, run, it->second);
  inner_->kill(machine, run);
}

void executor_watch::refuse(machine_id machine, const launch_order& order) {
  tells_.refused(machine, order);
  inner_->refuse(machine, order);
}

void executor_watch::take_due(instant now, std::vector<task_end_queue::entry>& out) {
  const auto first = out.size();
  inner_->take_due(now, out);
  for (auto i = first; i < out.size(); ++i) {
    tells_.ended(out[i].end, out[i].run);
    tasks_.erase(out[i].run);
  }
}

} // namespace troupe
