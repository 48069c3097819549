#include "workload/fit/trace_profile.hpp"

#include "workload/traces/trace_reader.hpp"

namespace troupe {

namespace {

constexpr std::size_t most_constraints = 1000;

void count_constraints(trace_profile& profile, const task_group& group) {
  if (group.constraints.empty())
    return;
  profile.constrained_tasks += group.count;
  for (const auto& c : group.constraints) {
    const auto text = to_string(c);
    const auto known = profile.constraints.find(text);
    if (known != profile.constraints.end())
      known->second += group.count;
    else if (profile.constraints.size() < most_constraints)
      profile.constraints.emplace(text, group.count);
  }
}

} // namespace

double amount_of(const resources& what, std::size_t kind) {
  constexpr double units[] = {1000, 1024, 1000, 1};
  return what.amount[kind] / units[kind];
}

void job_distributions::add(instant submitted, const std::vector<task_group>& groups) {
  if (any)
    interarrival.add(to_seconds(submitted - last));
  any = true;
  last = submitted;
  std::uint64_t n = 0;
  for (const auto& group : groups) {
    n += group.count;
    if (group.durations.size() == 1)
      duration.add(to_seconds(group.durations.front()), group.count);
    else
      for (auto d : group.durations)
        duration.add(to_seconds(d));
    for (std::size_t k = 0; k < resource_kinds; ++k)
      requests[k].add(amount_of(group.demand, k), group.count);
  }
  tasks.add(static_cast<double>(n));
}

trace_profile profile_trace(const std::string& path, const trace_settings& settings) {
  const auto reader = open_sorted_trace(path, settings);
  trace_profile profile;
  profile.format = find_trace(path, settings.format).format;
  peak_counter second{std::chrono::seconds{1}};
  peak_counter minute{std::chrono::minutes{1}};
  trace_job job;
  while (reader->next(job)) {
    const auto n = job.task_count();
    if (profile.jobs == 0)
      profile.first = job.submitted;
    profile.last = job.submitted;
    ++profile.jobs;
    profile.tasks += n;
    profile.asking_jobs += job.asks;
    profile.gangs += job.gang;
    profile.spreading += job.spread;
    profile.tasks_by_priority[job.priority] += n;
    second.add(job.submitted, n);
    minute.add(job.submitted, n);
    profile.jobs_over_time.add(job.submitted);
    bool depends = false;
    for (const auto& group : job.groups) {
      depends = depends || !group.after.empty();
      count_constraints(profile, group);
    }
    profile.dependent_jobs += depends;
    profile.of.add(job.submitted, job.groups);
  }
  profile.task_seconds = profile.of.duration.sum();
  profile.peak_second = second.peak();
  profile.peak_minute = minute.peak();
  profile.rows = reader->tally().rows();
  profile.bytes = reader->bytes();
  profile.events = reader->events();
  profile.skipped = reader->tally().skipped();
  profile.malformed = reader->tally().malformed_rows();
  profile.first_malformed = reader->tally().first_malformed();
  return profile;
}

} // namespace troupe
