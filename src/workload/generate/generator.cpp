#include "workload/generate/generator.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace troupe {

namespace {

std::uint64_t limit_of(const workload_settings& settings) {
  return settings.jobs == 0 ? std::numeric_limits<std::uint64_t>::max() : settings.jobs;
}

std::vector<arrival_phase> to_phases(const workload_settings& settings, double capacity,
                                     double mean_tasks) {
  std::vector<arrival_phase> phases;
  instant at{0};
  for (const auto& phase : settings.phases) {
    const double tasks_per_second = phase.rate > 0 ? phase.rate : phase.load * capacity;
    phases.push_back({at, at + phase.length, tasks_per_second / mean_tasks});
    at += phase.length;
  }
  return phases;
}

duration mean_of(const std::vector<duration>& durations) {
  double sum = 0;
  for (auto d : durations)
    sum += to_seconds(d);
  return from_seconds(sum / static_cast<double>(durations.size()));
}

/// Divides a job's only group into stages, one after the other, whose sizes differ by one at most.
void divide(job& made, std::uint32_t stages) {
  auto all = std::move(made.groups.front());
  const auto durations = std::exchange(all.durations, {});
  const auto n = std::min(stages, all.count);
  made.groups.clear();
  std::uint32_t first = 0;
  for (std::uint32_t s = 0; s < n; ++s) {
    auto& group = made.groups.emplace_back(all);
    group.count = all.count / n + (s < all.count % n ? 1 : 0);
    const auto from = durations.begin() + (durations.size() > 1 ? first : 0);
    group.durations.assign(from, from + (durations.size() > 1 ? group.count : 1));
    if (s > 0)
      group.after = {s - 1};
    first += group.count;
  }
}

} // namespace

job_generator::job_generator(const workload_settings& settings, random_stream random)
  : tasks_(settings.tasks_per_job),
    durations_(settings.duration),
    requests_(settings),
    stages_(settings.stages),
    duration_per_job_(settings.duration_per_job),
    estimate_error_(settings.estimate_error),
    tasks_random_(random()),
    durations_random_(random()),
    requests_random_(random()),
    estimates_random_(random()) {}

job job_generator::make(instant submitted) {
  job made;
  made.id = next_id_++;
  made.submitted = submitted;
  auto& group = made.groups.emplace_back();
  group.count = tasks_.draw_count(tasks_random_);
  requests_.fill(group, requests_random_);
  const bool alike = duration_per_job_ || durations_.is_constant();
  group.durations.resize(alike ? 1 : group.count);
  for (auto& d : group.durations)
    d = durations_.draw_duration(durations_random_);
  made.estimate = group.durations.size() == 1 ? group.durations.front() : mean_of(group.durations);
  if (estimate_error_ > 0) {
    const double factor = 1 + estimate_error_ * (2 * estimates_random_.unit() - 1);
    made.estimate = from_seconds(to_seconds(made.estimate) * factor);
  }
  if (stages_ > 1)
    divide(made, stages_);
  return made;
}

phase_source::phase_source(const workload_settings& settings, double capacity, random_stream random)
  : generator_(settings, random_stream{random()}),
    arrivals_(to_phases(settings, capacity, generator_.mean_tasks()),
              settings.arrivals == arrival_kind::poisson, random_stream{random()}),
    left_(limit_of(settings)) {}

std::optional<job> phase_source::next() {
  if (left_ == 0)
    return std::nullopt;
  const auto at = arrivals_.next();
  if (!at)
    return std::nullopt;
  --left_;
  return generator_.make(*at);
}

burst_source::burst_source(const workload_settings& settings, std::uint32_t schedulers,
                           random_stream random)
  : generator_(settings, random_stream{random()}),
    left_(std::min(std::uint64_t{schedulers} * settings.bursts, limit_of(settings))),
    schedulers_(schedulers),
    start_(settings.burst_start),
    interval_(settings.burst_interval) {}

std::optional<job> burst_source::next() {
  if (left_ == 0)
    return std::nullopt;
  --left_;
  const auto burst = static_cast<duration::rep>(made_++ / schedulers_);
  return generator_.make(start_ + burst * interval_);
}

} // namespace troupe
