#pragma once

#include "model/base/ids.hpp"
#include "model/base/time.hpp"

#include <cstddef>
#include <deque>
#include <unordered_map>

namespace troupe {

/// Machines that a scheduler avoids for some time, each until its own instant.
class avoided_machines {
public:
  /// Avoids a machine until `until`, which replaces an earlier instant.
  void add(machine_id m, instant until) {
    until_[m] = until;
    order_.push_back({m, until});
  }

  /// Forgets the machines whose instant has passed. A machine may stay longer if one that was added
  /// before it does. With a constant length of time, none does.
  void expire(instant now) {
    for (; !order_.empty() && order_.front().until <= now; order_.pop_front())
      if (const auto it = until_.find(order_.front().machine);
          it != until_.end() && it->second <= now)
        until_.erase(it);
  }

  bool contains(machine_id m) const { return until_.contains(m); }
  bool empty() const { return until_.empty(); }
  std::size_t size() const { return until_.size(); }

private:
  struct entry {
    machine_id machine = 0;
    instant until{0};
  };

  std::unordered_map<machine_id, instant> until_;
  std::deque<entry> order_; ///< in order of addition
};

} // namespace troupe
