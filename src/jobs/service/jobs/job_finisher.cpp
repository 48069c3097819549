#include "jobs/service/jobs/job_finisher.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

/// The state of a job all of whose tasks are over.
job_state fate_of(const job_row& row) {
  if (row.cancel_ms > 0 && row.counts.cancelled > 0)
    return job_state::cancelled;
  if (row.counts.failed > 0)
    return job_state::failed;
  return row.counts.cancelled > 0 ? job_state::cancelled : job_state::succeeded;
}

} // namespace

void job_finisher::end_task(live_job& j, live_group& g, std::uint32_t in_group, task_state state,
                            const std::string& reason, service_time now) {
  auto& t = g.touch(in_group);
  tables_.handed.leave(std::exchange(t.placed_by, 0));
  t.state = state;
  for (auto* counts : {&g.counts, &j.row.counts})
    ++(state == task_state::succeeded ? counts->succeeded
       : state == task_state::failed  ? counts->failed
                                      : counts->cancelled);
  tables_.changes.write(j, g, in_group, reason);
  tables_.changes.note(j, g);
  if (state != task_state::succeeded) {
    if (j.row.reason.empty())
      j.row.reason = state == task_state::failed
                       ? "task " + std::to_string(g.first + in_group) + ": " + reason
                       : reason;
    canceller_.break_group(j, g);
  } else if (g.has_succeeded()) {
    releaser_.release_groups(j);
  }
  end_if_over(j, now);
}

/// Returns whether the job has ended now.
bool job_finisher::end_job(live_job& j, service_time now) {
  auto& row = j.row;
  if (is_over(row.state) || row.counts.over() < row.tasks)
    return false;
  row.state = fate_of(row);
  row.finished_ms = std::max<std::int64_t>(now.utc_ms, 1);
  if (row.state == job_state::succeeded)
    row.reason.clear();
  else if (row.state == job_state::cancelled && row.cancel_ms > 0)
    row.reason = cancelled_by_user;
  tables_.jobs.ended(j);
  tables_.changes.note(j);
  ended_.push_back(row.id);
  tables_.waits.drop(j);
  return true;
}

void job_finisher::end_if_over(live_job& j, service_time now) {
  if (!end_job(j, now))
    return;
  // Without recursion: jobs may wait for each other in a chain of any length.
  std::vector<const live_job*> ended{&j};
  while (!ended.empty()) {
    const auto* const next = ended.back();
    ended.pop_back();
    tell_dependents(*next, ended, now);
  }
}

void job_finisher::tell_dependents(const live_job& of, std::vector<const live_job*>& ended,
                                   service_time now) {
  for (const auto next : tables_.waits.take(of.row.id)) {
    auto* const j = tables_.jobs.find_open(next);
    if (j == nullptr)
      continue;
    j->waits_for.erase(of.row.id);
    if (of.row.state == job_state::succeeded) {
      releaser_.release_groups(*j);
      continue;
    }
    cancel_after(*j, of.row.id);
    if (end_job(*j, now))
      ended.push_back(j);
  }
}

void job_finisher::cancel_after(live_job& j, std::uint64_t failed) {
  canceller_.cancel(j, "job " + std::to_string(failed) + " did not succeed");
}

std::vector<std::uint64_t> job_finisher::take_ended() {
  return std::exchange(ended_, {});
}

} // namespace troupe
