#include "jobs/service/work_book.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

work_book::work_book(live_jobs stored, service_time now, std::vector<std::string> tenants)
  : parts_(stored.next_job, stored.next_scheduler_job, std::move(tenants)) {
  for (const auto& one : stored.jobs)
    parts_.jobs.adopt(one);
  for (const auto& one : stored.jobs)
    for (const auto& row : one.open) {
      auto& j = *parts_.jobs.find(row.which.job);
      open_attempt attempt;
      attempt.which = row.which;
      attempt.node = row.node;
      attempt.boot = row.boot;
      attempt.machine_state = row.machine_state;
      attempt.granted_ms = row.granted_ms;
      attempt.lease = j.group_of(row.which.task).lease;
      attempt.stop = j.row.cancel_ms > 0;
      parts_.leases.open(std::move(attempt), now.steady);
    }
  for (const auto& [_, j] : parts_.jobs.all())
    parts_.starter.resume(*j, now);
  parts_.placer.place_all();
}

std::uint64_t work_book::submit(job_spec spec, const std::string& key,
                                const std::map<std::uint64_t, job_state>& predecessor_states,
                                service_time now) {
  auto& j = parts_.jobs.add(std::move(spec), now);
  parts_.changes.add(j, key);
  parts_.starter.begin(j, predecessor_states, now);
  parts_.placer.place_all();
  return j.row.id;
}

bool work_book::cancel(std::uint64_t id, service_time now) {
  auto* const j = parts_.jobs.find_open(id);
  if (j == nullptr)
    return false;
  if (j->row.cancel_ms == 0) {
    j->row.cancel_ms = std::max<std::int64_t>(now.utc_ms, 1);
    parts_.changes.note(*j);
  }
  parts_.canceller.cancel(*j, cancelled_by_user);
  for (const auto& g : j->groups)
    for (std::uint32_t i = 0; i < g.tasks.size(); ++i)
      if (g.tasks[i].state == task_state::running)
        if (auto* const a = parts_.leases.find({id, g.first + i}))
          a->stop = true;
  if (j->row.counts.running > 0)
    j->row.state = job_state::stopping;
  parts_.finisher.end_if_over(*j, now);
  parts_.placer.place_all();
  return true;
}

std::uint32_t work_book::retry(std::uint64_t id, std::optional<live_jobs::one> stored,
                               const std::map<std::uint64_t, job_state>& predecessor_states,
                               service_time now) {
  auto* j = parts_.jobs.find(id);
  if (j == nullptr && !stored)
    return 0;
  const auto& counts = j != nullptr ? j->row.counts : stored->job.counts;
  const auto again = counts.failed + counts.cancelled;
  if (again == 0)
    return 0;
  if (j != nullptr)
    parts_.jobs.begun_again(*j);
  else
    j = &parts_.jobs.adopt(*stored);
  parts_.starter.retry(*j, predecessor_states, now);
  parts_.placer.place_all();
  return again;
}

work_answer work_book::hear(const work_report& report, service_time now) {
  auto answer = parts_.reports.hear(report, now);
  parts_.placer.place_all();
  return answer;
}

bool work_book::give_up(std::uint64_t id, std::uint32_t task, service_time now) {
  const auto* const a = parts_.leases.find({id, task});
  if (a == nullptr)
    return false;
  parts_.ends.lose(a->which, end_reason::lease, "given up by a user", now);
  parts_.placer.place_all();
  return true;
}

void work_book::scheduled_over(task_id as, task_fate fate, service_time now) {
  parts_.pauses.scheduled_over(as, fate, now.steady);
}

void work_book::look_at_time(service_time now) {
  parts_.pauses.end_pauses(now.steady);
  for (const auto& key : parts_.leases.expired(now.steady))
    parts_.ends.lose(key, end_reason::lease, "nothing was heard of it for a whole lease", now);
  parts_.placer.place_all();
}

std::optional<instant> work_book::next_due() const {
  const auto lease = parts_.leases.next_expiry();
  const auto pause = parts_.pauses.next_end();
  return lease && pause ? std::min(*lease, *pause) : lease ? lease : pause;
}

void work_book::forget_ended(const std::vector<std::uint64_t>& ids) {
  for (const auto id : ids)
    if (const auto* j = find(id); j != nullptr && is_over(j->row.state) && !parts_.changes.has(id))
      parts_.jobs.forget(id);
}

void work_book::forget(const std::vector<std::uint64_t>& ids) {
  for (const auto id : ids)
    if (find(id) == nullptr) // else it was retried, or its end is not durable yet
      parts_.changes.forget(id);
}

std::vector<attempt_key> work_book::open_among(const std::vector<attempt_key>& keys) {
  std::vector<attempt_key> out;
  for (const auto& key : keys)
    if (const auto* a = parts_.leases.find({key.job, key.task}); a != nullptr && a->which == key)
      out.push_back(key);
  return out;
}

} // namespace troupe
