#include "actors/scheduler/explain/open_reasons.hpp"

namespace troupe {

namespace {

/// In place of the number of a task: all tasks of a gang.
constexpr auto whole_gang = ~std::uint32_t{0};

} // namespace

open_reasons::open_reasons(scheduler_parts& of) : parts_(of) {
  for (const auto& d : of.batch)
    known_[d.task.task] = wait_reason::in_commit;
  for (owner_id o = 0; o < of.setup.owners(); ++o)
    for (const auto& c : of.commits.of(o))
      for (const auto& d : c.placements)
        known_[d.task.task] = c.sent_again ? wait_reason::owner_silent : wait_reason::in_commit;
  of.transactions.visit_refused(
    [&](const waiting_task& t) { known_[t.task] = wait_reason::in_commit; });
  of.waiting.visit_retries([&](const waiting_task& t, bool delayed) {
    for (std::uint32_t i = 0; i < t.count(); ++i)
      known_[{t.task.job, t.task.index + i}] =
        delayed ? wait_reason::backing_off : wait_reason::waits_for_refresh;
  });
  of.waiting.gangs().all().visit_aside([&](const waiting_task& t) {
    aside_[t.task.job] = of.charged.tenant_admits(*t.of) ? wait_reason::gang_incomplete
                                                         : wait_reason::tenant_at_maximum;
  });
  if (const auto* line = of.waiting.line())
    line->visit([&](const waiting_task& t) {
      const auto at = line->position_of(t);
      in_line_[t.whole ? task_id{t.task.job, whole_gang} : t.task] =
        !at || line->waits_for_tenant(t) ? wait_reason::tenant_at_maximum
        : at->ahead > 0 ? line->is_held_up(t) ? wait_reason::held_up : wait_reason::behind_others
        : t.whole       ? wait_reason::gang_incomplete
                        : wait_reason::no_room;
    });
  if (of.waiting.jobs().has_next())
    head_ = of.waiting.jobs().head().task;
}

wait_reason open_reasons::of(const task_id& task) const {
  if (const auto it = known_.find(task); it != known_.end())
    return it->second;
  const auto& jobs = parts_.waiting.jobs();
  if (jobs.is_blocked(task))
    return wait_reason::waits_for_group;
  if (const auto it = aside_.find(task.job); it != aside_.end())
    return it->second;
  for (const auto& key : {task, task_id{task.job, whole_gang}})
    if (const auto it = in_line_.find(key); it != in_line_.end())
      return it->second;
  if (const auto found = jobs.find(task); found && jobs.waits_for_tenant(*found))
    return wait_reason::tenant_at_maximum;
  if (parts_.setup.learns_from_offers() && parts_.charged.seen().units() == 0)
    return wait_reason::no_offer;
  return head_ == task ? wait_reason::no_room : wait_reason::behind_others;
}

} // namespace troupe
