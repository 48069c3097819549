#include "jobs/service/work_book.hpp"
#include "process/base/planted_command_fault.hpp"

#include <algorithm>

namespace troupe {

namespace {

constexpr const char* by_user = "cancelled by a user";

/// The state of a job all of whose tasks are over.
job_state fate_of(const job_row& row) {
  if (row.cancel_ms > 0 && row.counts.cancelled > 0)
    return job_state::cancelled;
  if (row.counts.failed > 0)
    return job_state::failed;
  return row.counts.cancelled > 0 ? job_state::cancelled : job_state::succeeded;
}

bool has_succeeded(const live_group& g) {
  return g.counts.succeeded == g.count;
}

} // namespace

void work_book::release_groups(live_job& j) {
  if (!j.waits_for.empty() || is_over(j.row.state))
    return;
  for (auto& g : j.groups) {
    const auto& after = j.spec.groups[g.number].after;
    if (g.rest == task_state::waiting && !g.over() &&
        (planted(command_fault::early_release) ||
         std::ranges::all_of(after, [&](auto i) { return has_succeeded(j.groups[i]); })))
      release(j, g);
  }
}

void work_book::release(live_job& j, live_group& g) {
  g.rest = task_state::queued;
  note(j, g);
  if (g.untouched() > 0)
    place_later(j, g, g.count);
  for (std::uint32_t i = 0; i < g.tasks.size(); ++i)
    if (g.tasks[i].touched && g.tasks[i].state == task_state::waiting) {
      g.tasks[i].state = task_state::queued;
      write(j, g, i, "");
      place_later(j, g, i);
    }
}

void work_book::end_task(live_job& j, live_group& g, std::uint32_t in_group, task_state state,
                         const std::string& reason, service_time now) {
  auto& t = touch(j, g, in_group);
  leave(std::exchange(t.placed_by, 0));
  t.state = state;
  for (auto* counts : {&g.counts, &j.row.counts})
    ++(state == task_state::succeeded ? counts->succeeded
       : state == task_state::failed  ? counts->failed
                                      : counts->cancelled);
  write(j, g, in_group, reason);
  note(j, g);
  if (state != task_state::succeeded) {
    if (j.row.reason.empty())
      j.row.reason = state == task_state::failed
                       ? "task " + std::to_string(g.first + in_group) + ": " + reason
                       : reason;
    break_group(j, g);
  } else if (has_succeeded(g)) {
    release_groups(j);
  }
  finish_if_over(j, now);
}

void work_book::cancel_rest(live_job& j, live_group& g, const std::string& reason) {
  if (g.over())
    return;
  if (j.row.reason.empty())
    j.row.reason = reason;
  std::set<job_id> withdrawn;
  const auto take_back = [&](job_id placed_by, std::uint32_t tasks) {
    const auto it = handed_.find(placed_by);
    if (it == handed_.end() || tasks == 0)
      return;
    withdrawn.insert(placed_by);
    it->second.left -= tasks;
    if (it->second.left == 0)
      handed_.erase(it);
  };
  for (std::uint32_t i = 0; i < g.tasks.size(); ++i) {
    auto& t = g.tasks[i];
    if (!t.touched || (t.state != task_state::waiting && t.state != task_state::queued))
      continue;
    take_back(std::exchange(t.placed_by, 0), 1);
    t.state = task_state::cancelled;
    ++g.counts.cancelled;
    ++j.row.counts.cancelled;
    write(j, g, i, reason);
  }
  if (g.rest != task_state::cancelled) {
    g.counts.cancelled += g.untouched();
    j.row.counts.cancelled += g.untouched();
    g.rest = task_state::cancelled;
    g.rest_reason = reason;
    take_back(std::exchange(g.rest_placed_by, 0), g.untouched());
  }
  orders_.withdrawn.insert(orders_.withdrawn.end(), withdrawn.begin(), withdrawn.end());
  g.broken = g.counts.failed + g.counts.cancelled > 0;
  note(j, g);
}

void work_book::break_group(live_job& j, live_group& g) {
  if (g.broken)
    return;
  g.broken = true;
  for (std::size_t i = g.number + 1; i < j.groups.size(); ++i) {
    const auto& after = j.spec.groups[i].after;
    const auto bad = std::ranges::find_if(after, [&](auto n) { return j.groups[n].broken; });
    if (bad != after.end() && !j.groups[i].broken)
      cancel_rest(j, j.groups[i], "group " + j.spec.groups[*bad].name + " did not succeed");
  }
}

/// Returns whether the job has ended now.
bool work_book::end_job(live_job& j, service_time now) {
  auto& row = j.row;
  if (is_over(row.state) || row.counts.over() < row.tasks)
    return false;
  row.state = fate_of(row);
  row.finished_ms = std::max<std::int64_t>(now.utc_ms, 1);
  if (row.state == job_state::succeeded)
    row.reason.clear();
  else if (row.state == job_state::cancelled && row.cancel_ms > 0)
    row.reason = by_user;
  live_tasks_ -= row.tasks;
  note(j);
  ended_.push_back(row.id);
  for (const auto before : std::exchange(j.waits_for, {}))
    dependents_[before].erase(row.id);
  return true;
}

void work_book::finish_if_over(live_job& j, service_time now) {
  if (!end_job(j, now))
    return;
  // Without recursion: jobs may wait for each other in a chain of any length.
  std::vector<const live_job*> ended{&j};
  while (!ended.empty()) {
    const auto* const next = ended.back();
    ended.pop_back();
    tell_dependents(next->row.id, next->row.state, ended, now);
  }
}

void work_book::tell_dependents(std::uint64_t id, job_state state,
                                std::vector<const live_job*>& ended, service_time now) {
  const auto it = dependents_.find(id);
  if (it == dependents_.end())
    return;
  const auto waiting = std::move(it->second);
  dependents_.erase(it);
  for (const auto next : waiting) {
    auto* const j = get(next);
    if (j == nullptr || is_over(j->row.state))
      continue;
    j->waits_for.erase(id);
    if (state == job_state::succeeded) {
      release_groups(*j);
      continue;
    }
    for (auto& g : j->groups)
      cancel_rest(*j, g, "job " + std::to_string(id) + " did not succeed");
    if (end_job(*j, now))
      ended.push_back(j);
  }
}

bool work_book::cancel(std::uint64_t id, service_time now) {
  auto* const j = get(id);
  if (j == nullptr || is_over(j->row.state))
    return false;
  if (j->row.cancel_ms == 0) {
    j->row.cancel_ms = std::max<std::int64_t>(now.utc_ms, 1);
    note(*j);
  }
  for (auto& g : j->groups) {
    cancel_rest(*j, g, by_user);
    for (std::uint32_t i = 0; i < g.tasks.size(); ++i)
      if (g.tasks[i].state == task_state::running)
        if (auto* const a = leases_.find({id, g.first + i}))
          a->stop = true;
  }
  if (j->row.counts.running > 0)
    j->row.state = job_state::stopping;
  finish_if_over(*j, now);
  place_all();
  return true;
}

std::uint32_t work_book::retry(std::uint64_t id, std::optional<live_jobs::one> stored,
                               const std::map<std::uint64_t, job_state>& predecessor_states,
                               service_time now) {
  auto* j = get(id);
  if (j == nullptr && !stored)
    return 0;
  const auto& counts = j != nullptr ? j->row.counts : stored->job.counts;
  const auto again = counts.failed + counts.cancelled;
  if (again == 0)
    return 0;
  if (j != nullptr)
    live_tasks_ += j->row.tasks;
  else
    j = &adopt(*stored);
  auto& row = j->row;
  row.state = row.started_ms > 0 ? job_state::running : job_state::queued;
  row.finished_ms = 0;
  row.cancel_ms = 0;
  row.reason.clear();
  row.counts.failed = row.counts.cancelled = 0;
  for (auto& g : j->groups) {
    if (!g.broken)
      continue;
    g.broken = false;
    g.counts.failed = g.counts.cancelled = 0;
    g.rest = task_state::waiting;
    g.rest_reason.clear();
    note(*j, g);
    for (std::uint32_t i = 0; i < g.tasks.size(); ++i) {
      auto& t = g.tasks[i];
      if (!t.touched || t.state == task_state::succeeded)
        continue;
      t.state = task_state::waiting;
      t.retries = t.losses = 0;
      write(*j, g, i, "");
    }
  }
  note(*j);
  wait_for_predecessors(*j, predecessor_states, now);
  release_groups(*j);
  place_all();
  return again;
}

} // namespace troupe
