#include "jobs/service/jobs/job_starter.hpp"

namespace troupe {

void job_starter::begin(live_job& j, const known_states& before, service_time now) {
  wait_for_predecessors(j, before, now);
  releaser_.release_groups(j);
}

void job_starter::wait_for_predecessors(live_job& j, const known_states& before, service_time now) {
  std::uint64_t failed = 0;
  for (const auto id : j.spec.after) {
    const auto* const live = tables_.jobs.find(id);
    const auto known = before.find(id);
    if (live != nullptr && !is_over(live->row.state))
      tables_.waits.add(j, id);
    else if (live != nullptr ? live->row.state != job_state::succeeded
                             : known != before.end() && known->second != job_state::succeeded)
      failed = id;
  }
  if (failed == 0)
    return;
  finisher_.cancel_after(j, failed);
  finisher_.end_if_over(j, now);
}

void job_starter::resume(live_job& j, service_time now) {
  // What is over was told when it ended: a predecessor that is not live has succeeded.
  begin(j, {}, now);
  for (auto& g : j.groups) {
    if (g.rest == task_state::queued && g.untouched() > 0)
      placer_.place_rest_later(j, g);
    for (std::uint32_t i = 0; i < g.tasks.size(); ++i)
      if (g.tasks[i].touched && g.tasks[i].state == task_state::queued)
        placer_.place_later(j, g, i);
  }
}

void job_starter::retry(live_job& j, const known_states& before, service_time now) {
  auto& row = j.row;
  row.state = row.started_ms > 0 ? job_state::running : job_state::queued;
  row.finished_ms = 0;
  row.cancel_ms = 0;
  row.reason.clear();
  row.counts.failed = row.counts.cancelled = 0;
  for (auto& g : j.groups)
    if (g.broken)
      reset(j, g);
  tables_.changes.note(j);
  begin(j, before, now);
}

void job_starter::reset(live_job& j, live_group& g) {
  g.broken = false;
  g.counts.failed = g.counts.cancelled = 0;
  g.rest = task_state::waiting;
  g.rest_reason.clear();
  tables_.changes.note(j, g);
  for (std::uint32_t i = 0; i < g.tasks.size(); ++i) {
    auto& t = g.tasks[i];
    if (!t.touched || t.state == task_state::succeeded)
      continue;
    t.state = task_state::waiting;
    t.retries = t.losses = 0;
    tables_.changes.write(j, g, i, "");
  }
}

} // namespace troupe
