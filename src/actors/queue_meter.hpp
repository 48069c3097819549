#pragma once

#include "model/metrics.hpp"
#include "model/protocol.hpp"
#include "model/usage_meter.hpp"

#include <mutex>

namespace troupe {

/// What the machines with queues of one node count together; for several threads.
class queue_meter {
public:
  void add_machine(const resources& capacity) {
    const std::lock_guard lock{mutex_};
    usage_.add_capacity(capacity);
    ++counts_.machines;
  }

  void started(const launch_order& order, instant now) {
    const std::lock_guard lock{mutex_};
    usage_.take(order.demand, now);
    counts_.launched += order.by_scheduler;
  }

  void ended(const resources& demand, instant now) {
    const std::lock_guard lock{mutex_};
    usage_.give(demand, now);
  }

  void asked_for_work() {
    const std::lock_guard lock{mutex_};
    ++counts_.steal_attempts;
  }

  void stole(std::size_t entries) {
    const std::lock_guard lock{mutex_};
    ++counts_.steals;
    counts_.stolen += entries;
  }

  /// What was counted from the start until `now`.
  queue_counts counts(instant now) {
    const std::lock_guard lock{mutex_};
    counts_.used_seconds = usage_.used_seconds(now);
    counts_.seconds = to_seconds(now);
    return counts_;
  }

private:
  std::mutex mutex_;
  usage_meter usage_;
  queue_counts counts_;
};

} // namespace troupe
