#include "runtime/time/stall_detector.hpp"

#include "workload/formats/window_table.hpp"
#include "workload/generate/factory.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace troupe {

namespace {

/// Returns the longest time for a decision on a batch of jobs of one task each, or on a large job.
duration longest_decision(const run_settings& settings) {
  duration longest{0};
  for (const auto& group : settings.groups) {
    const auto& s = group.scheduler;
    const auto large = 10 * mean_tasks_per_job(group.workload) * to_seconds(s.t_task);
    longest = std::max<duration>(
      {longest, s.batch * (s.t_job + s.t_task), s.t_job + from_seconds(std::min(large, 1e6))});
  }
  return longest;
}

} // namespace

stall_detector::stall_detector(const run_settings& settings)
  : patience_(std::max<duration>({std::chrono::minutes{1}, 20 * settings.sync.gap,
                                  20 * settings.offers.filter, 2 * longest_decision(settings)})) {
  if (!settings.cluster.windows.empty())
    for (const auto& row : read_windows(settings.cluster.windows))
      last_window_ = std::max(last_window_, row.to);
}

void stall_detector::check(const task_counts& now, instant at) {
  if (now.placed != placed_ || now.running > 0 || now.queued == 0 || at < last_window_) {
    placed_ = now.placed;
    since_ = at;
  }
  if (at - since_ > patience_)
    throw std::runtime_error(std::to_string(now.queued) +
                             " tasks wait for a place that no machine can give them; nothing has "
                             "moved since " +
                             std::to_string(static_cast<std::int64_t>(to_seconds(since_))) + " s");
}

} // namespace troupe
