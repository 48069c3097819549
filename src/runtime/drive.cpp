#include "runtime/drive.hpp"

#include <stdexcept>

namespace troupe {

std::size_t memory_of(const run_settings& settings) {
  constexpr std::size_t machine = 1536; // its actor, its state, its tasks at the owner
  constexpr std::size_t view_of_machine = 16;
  constexpr std::size_t everything_else = 32 << 20;
  constexpr std::size_t offers_of_machine = 32; // to one scheduler: what it left, and until when
  const auto seen = view_of_machine + (settings.sync.plan == "offers" ? offers_of_machine : 0);
  return everything_else + settings.cluster.machines * (machine + settings.schedulers * seen);
}

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

void check_for_failure(run_record& record) {
  std::lock_guard lock{record.mutex};
  if (!record.error.empty())
    throw std::runtime_error(record.error);
}

} // namespace troupe
