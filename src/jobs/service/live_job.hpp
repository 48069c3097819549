#pragma once

#include "jobs/spec/job_spec.hpp"
#include "jobs/store/rows.hpp"
#include "model/base/ids.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace troupe {

/// A task that is no longer like the rest of its group.
struct live_task {
  job_id placed_by = 0; ///< the scheduler's job in which it was handed out last; 0: none
  std::uint32_t attempts = 0;
  std::uint32_t retries = 0;
  std::uint32_t losses = 0;
  task_state state = task_state::queued;
  bool touched = false;
  std::uint8_t pauses = 0; ///< since its last attempt
};

/// A group of a job that is not over.
struct live_group {
  std::uint32_t number = 0;
  std::uint32_t first = 0; ///< the number of its first task in the job
  std::uint32_t count = 0;
  task_state rest = task_state::waiting; ///< of its untouched tasks
  std::string rest_reason;
  job_id rest_placed_by = 0;    ///< the scheduler's job of its untouched tasks
  std::uint32_t touched = 0;    ///< tasks with an entry of their own
  std::vector<live_task> tasks; ///< by number in the group; empty if none is touched
  job_task_counts counts;
  duration lease{0};   ///< of its attempts; 0: forever
  bool broken = false; ///< a task has not succeeded, and what waits for the group was cancelled

  bool over() const { return counts.over() == count; }
  std::uint32_t untouched() const { return count - touched; }
};

/// A job that is not over, or whose end is not durable yet.
struct live_job {
  job_row row; ///< without the text of the spec
  job_spec spec;
  std::vector<live_group> groups;
  std::set<std::uint64_t> waits_for; ///< jobs that have to succeed first

  live_group& group_of(std::uint32_t task) {
    std::size_t low = 0;
    for (auto high = groups.size(); high - low > 1;) {
      const auto middle = (low + high) / 2;
      (groups[middle].first <= task ? low : high) = middle;
    }
    return groups[low];
  }
};

} // namespace troupe
