#pragma once

#include "actors/machine/executor.hpp"
#include "model/base/run_set.hpp"

#include <mutex>
#include <unordered_set>
#include <vector>

namespace troupe {

/// Emulates tasks: each is nothing but its end, in one queue for the whole node. The node's actor
/// is woken when a task ends earlier than all that was known before, so there is one pending timer
/// per node instead of one per task.
class emulated_executor final : public node_executor {
public:
  /// Ends are noticed at the multiples of `tick`. Throws `std::invalid_argument` unless it is
  /// positive. `one_thread`: all calls come from one thread, as in virtual time.
  explicit emulated_executor(duration tick, bool one_thread = false)
    : one_thread_(one_thread), ends_(tick) {}

  run_number start(machine_id machine, const launch_order& order, instant now) override;
  void kill(machine_id machine, run_number run) override;
  void refuse(machine_id machine, const launch_order& order) override;
  bool has_ended(run_number run) const override;

  void attach(node_actor node) override { node_ = std::move(node); }
  instant next_due() override;
  void take_due(instant now, std::vector<task_end_queue::entry>& out) override;
  void take_started(std::vector<started_task>& out) override;
  node_status status() override;
  std::vector<std::uint64_t> starts_by_group() override;

private:
  std::unique_lock<std::mutex> lock() const {
    return one_thread_ ? std::unique_lock<std::mutex>{} : std::unique_lock{mutex_};
  }
  void note_scheduler_start(machine_id machine, const launch_order& order, instant now);

  bool one_thread_;
  mutable std::mutex mutex_; ///< guards all that follows
  task_end_queue ends_;
  run_number latest_ = 0;
  run_set ended_;
  std::unordered_set<run_number> killed_; ///< whose ends are still in the queue
  std::vector<started_task> started_;
  instant awake_at_ = instant::max(); ///< the node looks at the queue then
  node_status status_;
  std::vector<std::uint64_t> starts_by_group_;
  node_actor node_;
};

} // namespace troupe
