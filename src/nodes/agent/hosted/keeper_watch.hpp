#pragma once

#include "model/protocol/failure_protocol.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

/// Watches the keeper of the jobs, by the incarnation of its workload.
class keeper_watch {
public:
  /// Returns whether another keeper, or the same one after a restart, hands the jobs out.
  bool has_changed(incarnation_id workload) {
    const auto before = std::exchange(latest_, std::max(latest_, workload));
    return before != 0 && workload > before;
  }

private:
  incarnation_id latest_ = 0;
};

} // namespace troupe
