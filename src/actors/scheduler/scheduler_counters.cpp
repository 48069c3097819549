#include "actors/scheduler/scheduler_counters.hpp"

#include "model/base/planted_faults.hpp"

#include <algorithm>

namespace troupe {

namespace {

double age_of(instant since, instant now) {
  return std::max(to_seconds(now - since), 0.0);
}

} // namespace

bool scheduler_counters::balanced(std::uint64_t blocked) const {
  const auto all = total();
  return books_.balanced() &&
         books_.waiting() == static_cast<std::int64_t>(all.queued + all.in_commit - blocked);
}

void scheduler_counters::begin_run(const waiting_task& task, instant now) {
  const auto group = task.group();
#ifdef TROUPE_CHECKS
  of(group).duplicate_grants += !granted_.insert(task.task).second;
#endif
  move(group, &task_counts::in_commit, &task_counts::running);
  wait(group, now, -1);
}

void scheduler_counters::resume_run([[maybe_unused]] const task_id& task) {
#ifdef TROUPE_CHECKS
  granted_.insert(task);
#endif
}

void scheduler_counters::end_run([[maybe_unused]] std::uint32_t group,
                                 [[maybe_unused]] const task_id& task) {
#ifdef TROUPE_CHECKS
  of(group).duplicate_grants += granted_.erase(task) == 0;
#endif
}

void scheduler_counters::forget_run([[maybe_unused]] const task_id& task) {
#ifdef TROUPE_CHECKS
  granted_.erase(task);
#endif
}

void scheduler_counters::placed(const decided_placement& d, duration delay,
                                std::uint32_t task_class, bool violates) {
  auto& [counts, sample] = books_.of(d.task.group());
  counts.placed += planted(planted_fault::miscounted_placement) ? 2 : 1;
  if (setup_.is_warm(d.task.of->submitted)) {
    sample.delay.add(to_seconds(delay));
    sample.quality.add(setup_.machines.score(d.machine, task_class));
  }
  sample.constraint_violations += violates;
  if (setup_.learns_from_snapshots()) {
    sample.placement_age.add(to_seconds(d.age));
    ++sample.attempts.granted_by_age[age_bin(d.age, setup_.limits.age_bin)];
  }
  if (d.task.attempts == 0)
    ++sample.attempts.at_once;
  else
    sample.attempts.later.add(d.task.attempts + 1);
}

void scheduler_counters::conflict(const decided_placement& d, conflict_cause cause) {
  auto& sample = of(d.task.group());
  ++sample.conflicts;
  ++sample.conflicts_by_cause[static_cast<std::size_t>(cause)];
  if (setup_.learns_from_snapshots()) {
    ++sample.attempts.refused_by_age[age_bin(d.age, setup_.limits.age_bin)];
    sample.attempts.refused_age.add(to_seconds(d.age));
  }
}

void scheduler_counters::preempted(const waiting_task& task, duration ran) {
  auto& lost = of(task.group()).preempted;
  ++lost.tasks;
  lost.ran += ran;
  lost.work.add(task.demand, to_seconds(ran));
}

void scheduler_counters::given_up(const waiting_task& task, instant now) {
  wait(task.group(), now, -std::int64_t{task.count()});
  if (setup_.is_warm(task.of->submitted))
    of(task.group()).given_up.add(to_seconds(now - task.submitted), task.count());
}

void scheduler_counters::job_over(std::uint32_t group, const job_end& end, bool warm) {
  auto& sample = of(group);
  const bool finished = end.fate == task_fate::finished;
  if (finished)
    ++sample.jobs_finished;
  else
    ++(end.fate == task_fate::abandoned ? sample.attempts.jobs_abandoned : sample.jobs_failed);
  if (warm)
    (finished ? sample.job_response : sample.broken_jobs).add(to_seconds(end.response));
}

void scheduler_counters::account_age(const view& seen, instant now) {
  const auto from = age_accounted_;
  age_accounted_ = now;
  if (!seen.complete() || now <= from)
    return;
  const double young = std::max(to_seconds(from) - seen.mean_taken_at(), 0.0);
  const double old = to_seconds(now) - seen.mean_taken_at();
  const double elapsed = to_seconds(now - from);
  books_.own().age.merge({(young + old) / 2 * elapsed, elapsed, young, old});
}

void scheduler_counters::note_waiting(std::uint32_t group, instant submitted, instant since,
                                      std::uint32_t tasks, instant now) {
  if (setup_.is_warm(submitted))
    of(group).waiting.add(age_of(since, now), tasks);
}

void scheduler_counters::note_open(std::uint32_t group, instant submitted, instant now) {
  if (setup_.is_warm(submitted))
    of(group).open_jobs.add(age_of(submitted, now));
}

} // namespace troupe
