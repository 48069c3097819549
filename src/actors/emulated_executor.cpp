#include "actors/emulated_executor.hpp"

#include <caf/send.hpp>
#include <spdlog/spdlog.h>

namespace troupe {

instant emulated_executor::start(machine_id machine, const launch_order& order, instant now) {
  const auto end = now + order.runtime;
  bool wake = false;
  {
    std::lock_guard lock{mutex_};
    ends_.add({{order.task, machine, task_outcome::finished, end, order.grant},
               order.owner,
               order.by_scheduler});
    ++status_.launched;
    const auto next = ends_.next();
    wake = next < awake_at_;
    if (wake)
      awake_at_ = next;
    if (order.by_scheduler) {
      wake = wake || started_.empty();
      started_.push_back({{order.task, machine, now}, order.owner});
      const auto group = order.task.job >> 40;
      if (group >= starts_by_group_.size())
        starts_by_group_.resize(group + 1);
      ++starts_by_group_[group];
    }
  }
  if (wake)
    caf::anon_send(node_, wake_atom_v);
  return end;
}

void emulated_executor::kill(machine_id machine, const task_id& task, instant ends_at) {
  std::lock_guard lock{mutex_};
  killed_.insert({task, machine, ends_at});
}

void emulated_executor::mark_killed(std::vector<task_end_queue::entry>& out, std::size_t first) {
  for (auto i = first; i < out.size() && !killed_.empty(); ++i) {
    auto& end = out[i].end;
    const auto it = killed_.find({end.task, end.machine, end.at});
    if (it == killed_.end())
      continue;
    killed_.erase(it);
    end.outcome = task_outcome::preempted;
    ++status_.killed;
  }
}

void emulated_executor::refuse(machine_id machine, const launch_order& order) {
  spdlog::error("machine {} has no room for task {} that asks for {}", machine,
                to_string(order.task), to_string(order.demand));
  std::lock_guard lock{mutex_};
  ++status_.over_capacity;
}

instant emulated_executor::next_due() {
  std::lock_guard lock{mutex_};
  awake_at_ = ends_.next();
  return awake_at_;
}

void emulated_executor::take_due(instant now, std::vector<task_end_queue::entry>& out) {
  std::lock_guard lock{mutex_};
  const auto first = out.size();
  ends_.take_due(now, out);
  if (!killed_.empty())
    mark_killed(out, first);
  status_.ended += out.size() - first;
}

void emulated_executor::take_started(std::vector<started>& out) {
  std::lock_guard lock{mutex_};
  out.insert(out.end(), started_.begin(), started_.end());
  started_.clear();
}

std::vector<std::uint64_t> emulated_executor::starts_by_group() {
  std::lock_guard lock{mutex_};
  return starts_by_group_;
}

node_status emulated_executor::status() {
  std::lock_guard lock{mutex_};
  return status_;
}

} // namespace troupe
