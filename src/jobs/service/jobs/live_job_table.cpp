#include "jobs/service/jobs/live_job_table.hpp"

#include <utility>

namespace troupe {

live_job& live_job_table::add(job_spec spec, service_time now) {
  auto made = std::make_unique<live_job>();
  auto& row = made->row;
  row.id = next_job_++;
  row.name = spec.name;
  row.tenant = spec.tenant;
  row.priority = spec.priority;
  row.tasks = spec.task_count();
  row.submitted_ms = now.utc_ms;
  std::uint32_t first = 0;
  for (const auto& from : spec.groups) {
    live_group g;
    g.number = static_cast<std::uint32_t>(made->groups.size());
    g.first = first;
    g.count = from.count;
    g.lease = from.lease;
    first += from.count;
    made->groups.push_back(std::move(g));
  }
  made->spec = std::move(spec);
  return insert(std::move(made));
}

live_job& live_job_table::adopt(const live_jobs::one& stored) {
  auto made = std::make_unique<live_job>();
  made->spec = read_job_json(stored.job.spec);
  made->row = stored.job;
  made->row.spec.clear();
  for (const auto& row : stored.groups) {
    live_group g;
    g.number = row.number;
    g.first = row.first_task;
    g.count = row.tasks;
    g.rest = row.rest;
    g.rest_reason = row.rest_reason;
    g.counts = row.counts;
    g.lease = made->spec.groups.at(row.number).lease;
    g.broken = g.counts.failed + g.counts.cancelled > 0;
    for (std::uint32_t i = 0; i < g.counts.running; ++i)
      used_[made->row.tenant] += made->spec.groups[row.number].demand();
    made->groups.push_back(std::move(g));
  }
  for (const auto& row : stored.tasks) {
    auto& g = made->groups.at(row.group);
    if (g.tasks.empty())
      g.tasks.resize(g.count);
    auto& t = g.tasks.at(row.task - g.first);
    t = {0, row.attempts, row.retries, row.losses, row.state, true};
    ++g.touched;
  }
  return insert(std::move(made));
}

live_job& live_job_table::insert(std::unique_ptr<live_job> made) {
  live_tasks_ += made->row.tasks;
  auto& place = jobs_[made->row.id];
  place = std::move(made);
  return *place;
}

void live_job_table::started(live_job& j, live_group& g) {
  ++g.counts.running;
  ++j.row.counts.running;
  used_[j.row.tenant] += j.spec.groups[g.number].demand();
}

void live_job_table::stopped(live_job& j, live_group& g) {
  --g.counts.running;
  --j.row.counts.running;
  auto& used = used_[j.row.tenant];
  used -= j.spec.groups[g.number].demand();
  if (used == resource_sum{})
    used_.erase(j.row.tenant);
}

live_job* live_job_table::find(std::uint64_t id) {
  const auto it = jobs_.find(id);
  return it == jobs_.end() ? nullptr : it->second.get();
}

const live_job* live_job_table::find(std::uint64_t id) const {
  const auto it = jobs_.find(id);
  return it == jobs_.end() ? nullptr : it->second.get();
}

live_job* live_job_table::find_open(std::uint64_t id) {
  auto* const j = find(id);
  return j == nullptr || is_over(j->row.state) ? nullptr : j;
}

} // namespace troupe
