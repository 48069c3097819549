#include "runtime/time/stall_detector.hpp"

#include "runtime/faults/fault_plan.hpp"
#include "settings/toml/duration_text.hpp"
#include "workload/formats/machine_table.hpp"
#include "workload/formats/window_table.hpp"
#include "workload/generate/factory.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace troupe {

namespace {

/// A task may be placed only in the last of this many periods of what is periodic.
constexpr int rounds = 20;

/// Returns `n` times `d`, or the longest patience.
duration times(int n, duration d) {
  return d > max_duration / n ? max_duration : n * d;
}

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

/// Returns how long a task may wait for its next attempt if all delays before had passed by
/// `begun`: their sum bounds the next one, which is `factor` times the last one.
duration longest_retry(const retry_settings& s, instant begun) {
  constexpr double longest = 1e9; // s
  if (s.delay == duration::zero())
    return s.delay;
  const double grown = to_seconds(s.delay) + (s.factor - 1) * to_seconds(begun);
  return from_seconds(
    std::min(grown, s.max_delay > duration::zero() ? to_seconds(s.max_delay) : longest));
}

/// Returns how long tasks may be held by what repeats or times out, apart from their retries.
duration longest_hold(const run_settings& s) {
  const auto& n = s.network;
  const auto& f = s.failures;
  duration longest = std::max<duration>(
    {std::chrono::minutes{1}, times(rounds, s.sync.gap), times(2, longest_decision(s)),
     times(rounds, n.latency + n.jitter + n.machine_latency), times(2, s.owner.hold_timeout)});
  for (const auto& group : s.groups)
    longest = std::max<duration>(longest, times(rounds, group.scheduler.commit_timeout));
  if (s.sync.plan == sync_plan_kind::offers)
    longest = std::max<duration>(
      {longest, times(rounds, s.offers.filter), times(rounds, s.offers.interval)});
  if (watches_failures(s))
    longest = std::max<duration>({longest, times(rounds, f.heartbeat),
                                  times(2, f.timeout + f.machine_timeout + f.owner_lease)});
  return longest;
}

/// Returns when the last window, cut or failure ends that does, and the last machine comes or
/// changes.
instant last_event_of(const run_settings& settings) {
  instant last{0};
  const auto& cluster = settings.cluster;
  if (!cluster.windows.empty())
    for (const auto& row : read_windows(cluster.windows))
      last = std::max(last, row.to);
  if (!cluster.trace.file.empty())
    for (const auto& change : read_machines(cluster.trace).changes)
      if (change.capacity != resources{})
        last = std::max(last, change.at);
  for (const auto& cut : settings.network.cuts)
    last = std::max(last, cut.to);
  for (const auto& f : planned_faults(settings))
    if (f.to <= max_duration) // others never end
      last = std::max(last, f.to);
  return last;
}

} // namespace

stall_detector::stall_detector(const run_settings& settings)
  : settings_(&settings), patience_(longest_hold(settings)) {}

duration stall_detector::patience_since(instant at) const {
  auto patience = patience_;
  const auto wait_for = [&](const scheduler_settings& s) {
    patience = std::max<duration>(patience, times(2, longest_retry(s.retry, at)));
  };
  if (settings_->pool > 0)
    wait_for(settings_->scheduler);
  else
    for (const auto& group : settings_->groups)
      wait_for(group.scheduler);
  return patience;
}

void stall_detector::check(const task_counts& now, instant at) {
  if (now.placed != placed_ || now.running > 0 || now.queued == 0) {
    placed_ = now.placed;
    since_.reset();
    return;
  }
  if (!since_)
    since_ = at;
  const auto patience = patience_since(*since_);
  if (at - *since_ <= patience)
    return;
  if (!last_event_)
    last_event_ = last_event_of(*settings_);
  if (at - *last_event_ > patience)
    throw std::runtime_error(std::to_string(now.queued) +
                             " tasks wait for a place that no machine can give them; nothing has "
                             "moved since " +
                             std::to_string(static_cast<std::int64_t>(to_seconds(*since_))) + " s");
}

} // namespace troupe
