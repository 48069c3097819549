#pragma once

#include "jobs/spec/job_spec.hpp"
#include "jobs/store/rows.hpp"
#include "model/base/ids.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// Begins the reason of a job with a task that the scheduling layer has abandoned.
inline constexpr std::string_view no_machine_fits = "no machine fits";

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
  bool has_succeeded() const { return counts.succeeded == count; }
  std::uint32_t untouched() const { return count - touched; }

  // Of a task, by its number in the group:
  bool is_touched(std::uint32_t task) const { return !tasks.empty() && tasks[task].touched; }
  task_state state_of(std::uint32_t task) const {
    return is_touched(task) ? tasks[task].state : rest;
  }
  job_id placed_by(std::uint32_t task) const {
    return is_touched(task) ? tasks[task].placed_by : rest_placed_by;
  }

  /// Gives a task an entry of its own, unless it has one.
  live_task& touch(std::uint32_t task) {
    if (tasks.empty())
      tasks.resize(count);
    auto& t = tasks[task];
    if (!t.touched) {
      t.touched = true;
      t.state = rest;
      t.placed_by = rest_placed_by;
      ++touched;
    }
    return t;
  }
};

/// A job that is not over, or whose end is not durable yet.
struct live_job {
  job_row row; ///< without the text of the spec
  job_spec spec;
  std::vector<live_group> groups;
  std::set<std::uint64_t> waits_for; ///< jobs that have to succeed first

  /// Returns the group of a task, by the number of the task in the job.
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
