#pragma once

#include "model/jobs/job.hpp"
#include "model/protocol/probing.hpp"
#include "model/records/record_outbox.hpp"

#include <chrono>
#include <functional>

namespace troupe {

/// How a Sparrow scheduler works.
struct sparrow_limits {
  probing how = probing::late_binding;
  bool cancellation = true; ///< proactive: reservations that are not needed any more are cancelled
  double ratio = 2;         ///< probes or reservations per task
  /// Whether the ratio follows the load: so many that as many machines with room can be expected
  /// among them as there are tasks, at least `ratio_min` and at most `ratio_max` per task.
  bool adaptive_ratio = false;
  double ratio_min = 1;
  double ratio_max = 3;
  /// Deciding on a job takes t_job, and t_task for each task.
  duration t_job{0};
  duration t_task = std::chrono::nanoseconds{1};
  instant warmup{0}; ///< jobs submitted earlier are left out of delays, responses and quality
  record_level records = record_level::none; ///< what is recorded of jobs and tasks
  task_watch* watch = nullptr; ///< is told of one job, if jobs are recorded; null: none
  /// Tells the time, if machines have windows. Without, only the machines heed them.
  std::function<instant()> time{};
};

} // namespace troupe
