#include "model/explain/task_watch.hpp"

#include <algorithm>
#include <ranges>

namespace troupe {

namespace {

/// How many grants of a machine are kept: the winner of a conflict is the last other scheduler.
constexpr std::size_t grants_kept = 8;

} // namespace

void task_watch::track(const watched_event& e) {
  if (e.what == watched::ended)
    ++tasks_over_;
  const bool of_job = e.what == watched::submitted || e.what == watched::taken_over;
  if (!task || (!of_job && e.task != *task))
    return;
  switch (e.what) {
  case watched::submitted:
  case watched::taken_over:
  case watched::queued_again:
  case watched::lost:
  case watched::preempted:
  case watched::put_back:
    waits_ = true;
    at_ = e.scheduler;
    break;
  case watched::picked:
  case watched::sent:
  case watched::granted:
  case watched::started:
  case watched::ran_before:
    waits_ = false;
    break;
  case watched::ended:
    waits_ = false;
    over_ = true;
    break;
  default:
    break;
  }
}

void task_watch::grant(machine_id machine, scheduler_id to, const task_id& for_task) {
  auto& latest = grants_[machine];
  if (latest.size() == grants_kept)
    latest.erase(latest.begin());
  latest.push_back({now(), to, for_task});
}

void task_watch::evict(const task_id& victim, machine_id machine, owner_id owner, const task_id& by,
                       std::int32_t priority) {
  if (!wants(victim.job))
    return;
  auto& e = note(watched::evicted_for, no_scheduler, victim.index);
  e.machine = machine;
  e.owner = owner;
  e.other = by;
  e.priority = priority;
}

void task_watch::complete(watched_event& refusal) const {
  const auto& r = *refusal.refusal;
  const auto it = grants_.find(r.machine);
  if (it == grants_.end())
    return;
  for (const auto& g : it->second | std::views::reverse)
    if (g.to == r.winner) {
      refusal.winner_granted = g.at;
      refusal.winner_task = g.task;
      return;
    }
}

} // namespace troupe
