#include "jobs/service/attempts/attempt_ends.hpp"

#include "jobs/service/attempts/end_rules.hpp"

#include <utility>

namespace troupe {

void attempt_ends::lose(const attempt_key& which, end_reason reason, const char* detail,
                        service_time now) {
  attempt_end end;
  end.which = which;
  end.reason = reason;
  end.ended_ns = now.utc_ms * 1'000'000;
  end.detail = detail;
  book(end, true, now);
}

void attempt_ends::book(const attempt_end& end, bool lost, service_time now) {
  const job_task task{end.which.job, end.which.task};
  const auto* const a = tables_.leases.find(task);
  if (a == nullptr || a->which != end.which)
    return; // out of date, or booked already
  tables_.changes.write(*a, end, lost);
  tables_.leases.close(task);
  auto& j = *tables_.jobs.find(task.job);
  auto& g = j.group_of(task.task);
  const auto in_group = task.task - g.first;
  auto& t = g.tasks[in_group];
  const auto verdict =
    judge(end, {t.retries, t.losses, j.spec.groups[g.number].retries, j.row.cancel_ms > 0});
  t.retries = verdict.retries;
  t.losses = verdict.losses;
  tables_.jobs.stopped(j, g);
  if (is_over(verdict.state))
    return finisher_.end_task(j, g, in_group, verdict.state, verdict.reason, now);
  tables_.handed.leave(std::exchange(t.placed_by, 0));
  t.state = task_state::queued;
  tables_.changes.write(j, g, in_group, verdict.reason);
  tables_.changes.note(j, g);
  placer_.place_later(j, g, in_group);
}

} // namespace troupe
