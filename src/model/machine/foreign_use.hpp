#pragma once

#include "model/base/resources.hpp"

#include <algorithm>
#include <mutex>

namespace troupe {

/// What is used on a host by tasks that its machine has not started: commands that an earlier
/// process of the node has left. May be used by any thread.
class foreign_use {
public:
  void set(const resources& amount) {
    const std::lock_guard lock{mutex_};
    amount_ = amount;
  }

  /// Returns the part of a capacity that new tasks may use.
  resources left_of(resources capacity) const {
    const std::lock_guard lock{mutex_};
    for (std::size_t k = 0; k < resource_kinds; ++k)
      capacity.amount[k] = std::max(capacity.amount[k] - amount_.amount[k], 0);
    return capacity;
  }

private:
  mutable std::mutex mutex_;
  resources amount_;
};

} // namespace troupe
