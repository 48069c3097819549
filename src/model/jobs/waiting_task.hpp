#pragma once

#include "model/jobs/job.hpp"

#include <cstdint>
#include <functional>

namespace troupe {

/// A waiting task, with everything that placing it requires.
struct waiting_task {
  task_id task;
  resources demand;
  duration runtime{0};
  instant submitted{0};           ///< or when it was last preempted
  std::uint32_t attempts = 0;     ///< placements that were refused so far
  bool opens_job = false;         ///< the first task of its job to find a machine
  const job* of = nullptr;        ///< valid while the job is open
  const task_group* in = nullptr; ///< its group in that job
  bool whole = false;             ///< represents all tasks of its job, a gang that has not started

  std::uint32_t group() const { return of->group; }
  std::uint32_t tenant() const { return of->tenant; }
  std::int32_t priority() const { return of->priority; }

  /// The number of tasks that it represents.
  std::uint32_t count() const { return whole ? of->task_count() : 1; }
};

/// Returns a task of a job as it was submitted: the one with this number in its group, and this
/// index in the job.
inline waiting_task as_submitted(const job& j, const task_group& group, std::uint32_t in_group,
                                 std::uint32_t index) {
  return {
    {j.id, index}, group.demand,        group.duration_of(in_group), j.submitted, 0, index == 0, &j,
    &group,        j.gang && index == 0};
}

/// Called with a number of tasks of a job that have waited since an instant.
using waiting_visitor = std::function<void(const job&, instant since, std::uint32_t tasks)>;

} // namespace troupe
