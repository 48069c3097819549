#pragma once

#include "model/ids.hpp"
#include "model/time.hpp"

#include <cstddef>
#include <deque>
#include <unordered_map>

namespace troupe {

/// Machines that a scheduler keeps away from for a while, each until an instant of its own.
class shunned_machines {
public:
  /// Keeps away from a machine until `until`; what was said of it before no longer holds.
  void add(machine_id m, instant until) {
    until_[m] = until;
    order_.push_back({m, until});
  }

  /// Forgets the machines whose time is over. One stays a little longer where those that were
  /// added before it do: with one length for all, none does.
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
  std::deque<entry> order_; ///< as they were added
};

} // namespace troupe
