#pragma once

#include <cstdint>
#include <vector>

namespace troupe::peers {

/// The end of a task: the machine that becomes free, and the task's job.
struct task_finish {
  std::uint32_t machine = 0;
  std::uint32_t job = 0;
};

/// The ends of running tasks, in buckets of one tick around a wheel.
class end_wheel {
public:
  /// No task may run longer than `longest`. Both times are in steps.
  end_wheel(std::uint32_t tick, std::uint32_t longest)
    : tick_(tick), buckets_((longest + tick - 1) / tick + 2) {}

  /// Adds an end, which is due at the first tick from `at` on.
  void add(std::uint32_t at, task_finish end) {
    buckets_[(at + tick_ - 1) / tick_ % buckets_.size()].push_back(end);
  }

  /// Hands out the ends that are due at `now`.
  template <class Handle>
  void take(std::uint32_t now, Handle handle) {
    if (now % tick_ != 0)
      return;
    auto& due = buckets_[now / tick_ % buckets_.size()];
    for (const auto& end : due)
      handle(end);
    due.clear();
  }

private:
  std::uint32_t tick_;
  std::vector<std::vector<task_finish>> buckets_;
};

} // namespace troupe::peers
