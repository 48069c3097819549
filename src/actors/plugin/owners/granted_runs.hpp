#pragma once

#include "model/protocol/protocol.hpp"

#include <set>

namespace troupe {

/// The tasks that run, in builds with TROUPE_CHECKS: finds tasks that are granted twice, and ends
/// of tasks that do not run. In other builds it finds nothing.
class granted_runs {
public:
  /// Notes that a task runs. Returns whether it did before.
  bool begin([[maybe_unused]] const task_id& task) {
#ifdef TROUPE_CHECKS
    return !running_.insert(task).second;
#else
    return false;
#endif
  }

  /// Notes that a task does not run any more. Returns whether it did not before.
  bool end([[maybe_unused]] const task_id& task) {
#ifdef TROUPE_CHECKS
    return running_.erase(task) == 0;
#else
    return false;
#endif
  }

private:
#ifdef TROUPE_CHECKS
  std::set<task_id> running_;
#endif
};

} // namespace troupe
