#pragma once

#include "model/jobs/job.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace troupe {

/// The tasks of a job with a limit (`job::at_once`) that have not entered the queue: those from an
/// index on, which never did, and before them some that are held back again.
class limited_tasks {
public:
  /// Returns whether a job needs this: it has a limit, and more tasks.
  static bool needed_by(const job& j) {
    return j.at_once > 0 && !j.gang && j.task_count() > j.at_once;
  }

  /// The tasks from `next` on have not entered the queue, of `tasks` in all.
  limited_tasks(std::uint32_t next, std::uint32_t tasks) : next_(next), tasks_(tasks) {}

  /// Holds a task back that is before `next`.
  void hold(std::uint32_t task) { held_.push_back(task); }

  /// The number of tasks that have not entered the queue.
  std::uint64_t size() const { return held_.size() + (tasks_ - next_); }

  /// Returns whether a task has not entered the queue.
  bool holds(std::uint32_t task) const;

  /// Removes the next task that may enter the queue; nothing if there is none.
  std::optional<std::uint32_t> take();

  /// Removes all of them.
  std::vector<std::uint32_t> take_all();

private:
  std::uint32_t next_;
  std::uint32_t tasks_;
  std::deque<std::uint32_t> held_;
};

} // namespace troupe
