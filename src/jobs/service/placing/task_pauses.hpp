#pragma once

#include "jobs/service/placing/task_placer.hpp"
#include "jobs/service/work_tables.hpp"
#include "model/jobs/job.hpp"

#include <map>
#include <optional>

namespace troupe {

/// Tasks that the scheduling layer has returned. Each is handed out again after a pause, which
/// doubles until the task is started.
class task_pauses {
public:
  task_pauses(work_tables& tables, task_placer& placer) : tables_(tables), placer_(placer) {}

  static constexpr duration first_pause = std::chrono::seconds{1};
  static constexpr duration longest_pause = std::chrono::seconds{60};

  /// The scheduling layer is done with a task. If the task is neither over nor running, nor handed
  /// out again since, its pause begins.
  void scheduled_over(task_id as, task_fate fate, instant now);

  /// Has the tasks whose pauses are over placed.
  void end_pauses(instant now);

  /// Returns the instant at which the next pause ends; nothing if there is none.
  std::optional<instant> next_end() const;

private:
  std::multimap<instant, job_task> paused_; ///< by the end of the pause
  work_tables& tables_;
  task_placer& placer_;
};

} // namespace troupe
