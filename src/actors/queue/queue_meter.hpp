#pragma once

#include "model/metrics/usage_meter.hpp"
#include "model/protocol/protocol.hpp"

#include <mutex>

namespace troupe {

/// The common counts of the machines with queues of one node; for several threads.
class queue_meter {
public:
  /// See `usage_meter`.
  queue_meter(const catalog& machines, std::uint32_t tenants) : usage_(machines, tenants) {
    counts_.machines = machines.machines();
  }

  /// Likewise, of `count` machines from `first` on, from some time on.
  queue_meter(const catalog& machines, std::uint32_t tenants, machine_id first, std::uint32_t count,
              instant from)
    : usage_(machines, tenants, first, count, from) {
    counts_.machines = count;
  }

  void started(const task_use& task, const resources& unused, instant now) {
    const std::lock_guard lock{mutex_};
    usage_.start(task, unused, now);
    counts_.launched += !task.granted;
  }

  void ended(const task_use& task, const resources& unused, instant now) {
    const std::lock_guard lock{mutex_};
    usage_.end(task, unused, now);
  }

  void resized(const resources& by, const resources& unused, instant now) {
    const std::lock_guard lock{mutex_};
    usage_.resize(by, unused, now);
  }

  /// Counts a task that was launched without an owner and killed before it could start.
  void withdrawn() {
    const std::lock_guard lock{mutex_};
    ++counts_.launched;
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

  /// The counts from the start until `now`.
  queue_counts counts(instant now) {
    const std::lock_guard lock{mutex_};
    usage_.write(counts_, now);
    return counts_;
  }

private:
  std::mutex mutex_;
  usage_meter usage_;
  queue_counts counts_;
};

} // namespace troupe
