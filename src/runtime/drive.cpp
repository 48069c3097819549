#include "runtime/drive.hpp"

#include <stdexcept>

namespace troupe {

void report_progress(const run_settings& settings, run_record& record, instant now,
                     double wall_seconds, run_monitor& monitor) {
  run_progress at;
  {
    std::lock_guard lock{record.mutex};
    const auto& tasks = record.totals.tasks;
    at = {now,          settings.length, wall_seconds,
          tasks.placed, tasks.finished,  record.totals.conflicts,
          tasks.queued};
  }
  monitor.progress(at);
}

void check_workloads(run_record& record) {
  std::lock_guard lock{record.mutex};
  if (!record.error.empty())
    throw std::runtime_error(record.error);
}

} // namespace troupe
