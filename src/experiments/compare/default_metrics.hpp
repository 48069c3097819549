#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// A value of summaries, and its label.
struct named_metric {
  std::string_view label;
  std::string_view path;
};

/// Returns the expression of a user's `metric`: a path in the summary or, if it has braces, an
/// expression over "{path}".
inline std::string metric_expression(std::string_view metric) {
  const bool path = metric.find('{') == std::string_view::npos;
  return path ? "{" + std::string(metric) + "}" : std::string(metric);
}

/// The default columns of the table of an experiment's runs.
inline constexpr named_metric experiment_metrics[] = {
  {"tasks placed", "tasks.placed"},
  {"conflict fraction", "conflict_fraction"},
  {"delay mean (s)", "scheduling_delay_s.mean"},
  {"delay p99 (s)", "scheduling_delay_s.p99"},
  {"quality", "quality.mean"},
  {"utilization", "utilization.mean"},
};

/// Those of the metrics of parallel jobs, where they are measured.
inline constexpr named_metric parallel_metrics[] = {
  {"job wait mean (s)", "parallel_jobs.wait_s.mean"},
  {"job response mean (s)", "parallel_jobs.response_s.mean"},
  {"bounded slowdown mean", "parallel_jobs.bounded_slowdown.mean"},
  {"bounded slowdown p50", "parallel_jobs.bounded_slowdown.p50"},
  {"makespan (s)", "parallel_jobs.makespan_s"},
  {"processor utilization", "parallel_jobs.processor_utilization"},
  {"loss of capacity", "parallel_jobs.loss_of_capacity"},
};

/// The default metrics of a comparison.
inline constexpr named_metric comparison_metrics[] = {
  {"tasks submitted", "tasks.submitted"},
  {"tasks finished", "tasks.finished"},
  {"tasks queued at the end", "tasks.queued"},
  {"tasks abandoned", "tasks.abandoned"},
  {"scheduling delay mean (s)", "scheduling_delay_s.mean"},
  {"scheduling delay p50 (s)", "scheduling_delay_s.p50"},
  {"scheduling delay p99 (s)", "scheduling_delay_s.p99"},
  {"job response p50 (s)", "job_response_s.p50"},
  {"job response p99 (s)", "job_response_s.p99"},
  {"conflict fraction", "conflict_fraction"},
  {"quality", "quality.mean"},
  {"utilization mean", "utilization.mean"},
  {"utilization max", "utilization.max"},
  {"busyness", "busyness"},
  {"staleness mean (s)", "staleness_s.mean"},
  {"messages", "messages"},
  {"simulated (s)", "simulated_seconds"},
  {"wall time (s)", "host.wall_seconds"},
};

} // namespace troupe
