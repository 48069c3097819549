#include "actors/machine/emulated_executor.hpp"

#include "model/base/log.hpp"

#include <caf/send.hpp>

namespace troupe {

void emulated_executor::note_scheduler_start(machine_id machine, const launch_order& order,
                                             instant now) {
  started_.push_back({{order.task, machine, now}, order.launcher});
  const auto group = order.task.job >> 40;
  if (group >= starts_by_group_.size())
    starts_by_group_.resize(group + 1);
  ++starts_by_group_[group];
}

run_number emulated_executor::start(machine_id machine, const launch_order& order, instant now) {
  const auto end = now + order.runtime;
  bool wake = false;
  run_number run = 0;
  {
    const auto guard = lock();
    run = ++latest_;
    ends_.add({{order.task, machine, task_outcome::finished, end, order.grant},
               order.launcher,
               order.by_scheduler,
               run});
    ++status_.launched;
    const auto next = ends_.next();
    wake = next < awake_at_;
    if (wake)
      awake_at_ = next;
    if (order.by_scheduler) {
      wake = wake || started_.empty();
      note_scheduler_start(machine, order, now);
    }
  }
  if (wake)
    caf::anon_send(node_, wake_atom_v);
  return run;
}

void emulated_executor::kill(machine_id, run_number run) {
  const auto guard = lock();
  killed_.insert(run);
}

void emulated_executor::refuse(machine_id machine, const launch_order& order) {
  log::error("machine {} has no room for task {} that asks for {}", machine, to_string(order.task),
             to_string(order.demand));
  const auto guard = lock();
  ++status_.over_capacity;
}

bool emulated_executor::has_ended(run_number run) const {
  const auto guard = lock();
  return ended_.contains(run);
}

instant emulated_executor::next_due() {
  const auto guard = lock();
  awake_at_ = ends_.next();
  return awake_at_;
}

void emulated_executor::take_due(instant now, std::vector<task_end_queue::entry>& out) {
  const auto guard = lock();
  const auto first = out.size();
  ends_.take_due(now, out);
  for (auto i = first; i < out.size(); ++i) {
    ended_.insert(out[i].run);
    if (killed_.empty() || killed_.erase(out[i].run) == 0)
      continue;
    out[i].end.outcome = task_outcome::preempted;
    ++status_.killed;
  }
  status_.ended += out.size() - first;
}

void emulated_executor::take_started(std::vector<started_task>& out) {
  const auto guard = lock();
  out.insert(out.end(), started_.begin(), started_.end());
  started_.clear();
}

std::vector<std::uint64_t> emulated_executor::starts_by_group() {
  const auto guard = lock();
  return starts_by_group_;
}

node_status emulated_executor::status() {
  const auto guard = lock();
  return status_;
}

} // namespace troupe
