#pragma once

#include "model/jobs/job.hpp"

#include <cstdint>
#include <vector>

namespace troupe {

/// The groups of a job that wait for each other (`task_group::after`): which are blocked, and the
/// tasks of each that enter the queue when it is released.
class group_dependencies {
public:
  /// No task of the job has been placed or is over: all wait for the release of their groups.
  explicit group_dependencies(const job& of);

  /// The tasks in `over`, by index, rising, are over. No task waits yet.
  group_dependencies(const job& of, const std::vector<std::uint32_t>& over);

  /// Returns the groups that are blocked although they wait for no other.
  std::vector<std::uint32_t> due() const;

  /// Tasks that enter the queue.
  struct released_tasks {
    std::uint32_t first = 0; ///< index of the first task of the group
    std::uint32_t count = 0; ///< of all tasks of the group; 0: only those in `some`
    std::vector<std::uint32_t> some{};
  };

  /// Releases a group.
  released_tasks release(std::uint32_t group, instant at);

  /// Returns when the tasks of a group entered the queue: with the job, if it is blocked.
  instant released_at(std::uint32_t group) const { return stages_[group].released; }

  /// Returns whether the group of a task is blocked.
  bool blocks(std::uint32_t task) const { return stages_[group_of(task)].blocked; }

  /// Holds a task until its group is released. Returns false if the group has been released.
  bool hold(std::uint32_t task);

  /// Notes that a task is over. Returns the groups that are due by that.
  std::vector<std::uint32_t> close(const job& of, std::uint32_t task);

  /// Removes all tasks of blocked groups, which count as released.
  std::vector<std::uint32_t> take_blocked();

private:
  /// The progress of one group.
  struct stage {
    std::uint32_t first = 0; ///< index of its first task
    std::uint32_t tasks = 0;
    std::uint32_t unfinished = 0; ///< number of tasks that are not over
    std::uint32_t blockers = 0;   ///< number of groups that it still waits for
    bool blocked = true;          ///< it has not been released
    bool whole = true;            ///< all its tasks wait for the release, not only those in `held`
    std::vector<std::uint32_t> held{};
    instant released{0};
  };

  std::uint32_t group_of(std::uint32_t task) const;

  std::vector<stage> stages_; ///< by group
};

} // namespace troupe
