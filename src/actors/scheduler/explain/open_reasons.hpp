#pragma once

#include "actors/scheduler/scheduler_parts.hpp"
#include "model/explain/wait_reason.hpp"

#include <map>
#include <optional>
#include <unordered_map>

namespace troupe {

/// The reasons of the tasks of a scheduler that wait at this instant. Made once for any number of
/// tasks: it examines everything under way, and the head of the queue.
class open_reasons {
public:
  /// `of` must not change while this is in use.
  explicit open_reasons(scheduler_parts& of);

  /// Returns why a task waits that is queued or in commit.
  wait_reason of(const task_id& task) const;

private:
  const scheduler_parts& parts_;
  std::unordered_map<task_id, wait_reason> known_;   ///< in commit, or refused
  std::unordered_map<task_id, wait_reason> in_line_; ///< under a queue discipline
  std::map<job_id, wait_reason> aside_;              ///< gangs
  std::optional<task_id> head_;                      ///< of the queue
};

} // namespace troupe
