#pragma once

#include "actors/executor.hpp"
#include "actors/handles.hpp"
#include "model/sparrow_protocol.hpp"
#include "model/task_end_queue.hpp"

#include <mutex>
#include <set>
#include <vector>

namespace troupe {

/// Emulates tasks: each is nothing but its end, in one queue for the whole node. The node's actor
/// is woken when a task ends earlier than all that was known before, so there is one pending timer
/// per node instead of one per task.
class emulated_executor final : public executor {
public:
  /// Ends are noticed at the multiples of `tick`. Throws `std::invalid_argument` unless it is
  /// positive.
  explicit emulated_executor(duration tick) : ends_(tick) {}

  /// Says who is to be woken; to be called once, before the first start.
  void attach(node_actor node) { node_ = std::move(node); }

  instant start(machine_id machine, const launch_order& order, instant now) override;
  void kill(machine_id machine, const task_id& task, instant ends_at) override;
  void refuse(machine_id machine, const launch_order& order) override;

  /// When the next ends are due; `instant::max()` if no task runs. The node is not woken for a task
  /// that ends at that time or later.
  instant next_due();

  /// Appends the ends that are due at `now` to `out`.
  void take_due(instant now, std::vector<task_end_queue::entry>& out);

  /// A start, and the scheduler that wants to hear of it.
  struct started {
    task_start what;
    scheduler_id scheduler = 0;
  };

  /// Appends the starts of tasks that no owner knows of, since the last call, to `out`. The node is
  /// woken when there is a first one.
  void take_started(std::vector<started>& out);

  /// What was counted since the start.
  node_status status();

  /// How many tasks that no owner knows of were started, by the group of their jobs.
  std::vector<std::uint64_t> starts_by_group();

private:
  /// Names one run of a task: those of one task on one machine differ in their ends.
  struct launch {
    task_id task;
    machine_id machine = 0;
    instant ends_at{0};

    friend auto operator<=>(const launch&, const launch&) = default;
  };

  void mark_killed(std::vector<task_end_queue::entry>& out, std::size_t first);

  std::mutex mutex_;
  task_end_queue ends_;
  std::multiset<launch> killed_; ///< whose ends are still in the queue
  std::vector<started> started_;
  instant awake_at_ = instant::max(); ///< the node looks at the queue then
  node_status status_;
  std::vector<std::uint64_t> starts_by_group_;
  node_actor node_;
};

} // namespace troupe
