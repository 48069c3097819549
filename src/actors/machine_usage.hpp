#pragma once

#include "actors/queue_meter.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace troupe {

/// What is in use of a machine with a queue, in all of its lives: whoever ends one of them says
/// that what ran is gone.
class machine_usage {
public:
  machine_usage(const resources& capacity, std::shared_ptr<queue_meter> meter)
    : unused_(capacity), meter_(std::move(meter)) {}

  void started(const task_id& task, const task_use& use, instant now) {
    meter_->started(use, unused_, now);
    unused_ -= use.demand;
    running_.emplace_back(task, use);
  }

  void ended(const task_id& task, instant now) {
    const auto it =
      std::ranges::find(running_, task, [](const auto& r) -> const task_id& { return r.first; });
    if (it == running_.end())
      return;
    end(it->second, now);
    running_.erase(it);
  }

  /// The machine has died.
  void vanished(instant now) {
    for (const auto& [_, use] : std::exchange(running_, {}))
      end(use, now);
  }

private:
  void end(const task_use& use, instant now) {
    meter_->ended(use, unused_, now);
    unused_ += use.demand;
  }

  resources unused_;
  std::shared_ptr<queue_meter> meter_;
  std::vector<std::pair<task_id, task_use>> running_;
};

} // namespace troupe
