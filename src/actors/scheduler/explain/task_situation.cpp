#include "actors/scheduler/explain/task_situation.hpp"

#include "actors/scheduler/explain/note_pick.hpp"

#include <algorithm>

namespace troupe {

namespace {

/// The wait of a task that is in the queue.
wait_reason why_queued(const scheduler_parts& of, const waiting_task& task,
                       const queue_position& at) {
  if (at.tenant_waits)
    return wait_reason::tenant_at_maximum;
  if (of.setup.learns_from_offers() && of.charged.seen().units() == 0)
    return wait_reason::no_offer;
  if (at.ahead > 0)
    return wait_reason::behind_others;
  static_cast<void>(task);
  return wait_reason::no_room; // it was, or will be, tried next
}

bool is_aside(const scheduler_parts& of, job_id job) {
  bool aside = false;
  of.waiting.gangs().all().visit_aside(
    [&](const waiting_task& t) { aside = aside || t.task.job == job; });
  return aside;
}

void fill_wait(task_situation& in, const scheduler_parts& of, const waiting_task& task,
               instant now) {
  in.where = task_situation::place::waits;
  in.since = task.submitted;
  const auto& jobs = of.waiting.jobs();
  if (jobs.is_blocked(task.task)) {
    in.why = wait_reason::waits_for_group;
    return;
  }
  if (const auto later = of.waiting.retry_of(task.task)) {
    in.why = later->due > now ? wait_reason::backing_off : wait_reason::waits_for_refresh;
    in.until = later->due;
    return;
  }
  if (is_aside(of, task.task.job)) {
    in.why = of.charged.tenant_admits(*task.of) ? wait_reason::gang_incomplete
                                                : wait_reason::tenant_at_maximum;
    in.tasks = task.of->task_count();
    return;
  }
  if (const auto* line = of.waiting.line()) {
    const bool at_maximum = line->waits_for_tenant(task);
    const auto at = line->position_of(task);
    if (at || at_maximum) {
      in.queue = at.value_or(queue_position{});
      in.queue.tenant_waits = at_maximum;
      in.tasks = task.of->gang ? task.of->task_count() : 1;
      in.why = at_maximum               ? wait_reason::tenant_at_maximum
               : line->is_held_up(task) ? wait_reason::held_up
               : at->ahead > 0          ? wait_reason::behind_others
               : task.of->gang          ? wait_reason::gang_incomplete
                                        : wait_reason::no_room;
      return;
    }
  }
  if (const auto at = jobs.position_of(task.task)) {
    in.queue = *at;
    in.why = why_queued(of, task, *at);
  }
}

bool fill_commit(task_situation& in, const scheduler_parts& of, const task_id& task) {
  for (const auto& d : of.batch)
    if (d.task.task == task) {
      in.where = task_situation::place::in_commit;
      in.why = wait_reason::in_commit;
      in.machine = d.machine;
      return true;
    }
  for (owner_id o = 0; o < of.setup.owners(); ++o)
    for (const auto& c : of.commits.of(o))
      for (const auto& d : c.placements)
        if (d.task.task == task) {
          in.where = task_situation::place::in_commit;
          in.why = c.sent_again ? wait_reason::owner_silent : wait_reason::in_commit;
          in.machine = d.machine;
          in.owner = o;
          in.since = c.sent;
          in.sent_again = c.sent_again;
          return true;
        }
  return false;
}

} // namespace

wait_note why_waits(const scheduler_parts& of, const task_id& task) {
  const auto found = of.waiting.jobs().find(task);
  if (!found)
    return {};
  task_situation in;
  if (!fill_commit(in, of, task))
    fill_wait(in, of, *found, instant::min());
  return {in.why, in.queue.ahead};
}

task_situation situation_of(const scheduler_parts& of, const task_id& task, instant now,
                            std::optional<machine_id> asked_about) {
  task_situation in;
  const auto found = of.waiting.jobs().find(task);
  if (!found)
    return in;
  in.scheduler = of.setup.id;
  in.wish = wish_of(of, *found);
  in.tenant = found->tenant();
  in.priority = found->priority();
  if (const auto* tenants = of.charged.tenants())
    in.share = tenants->share(found->tenant());
  if (!fill_commit(in, of, task))
    fill_wait(in, of, *found, now);
  const auto& seen = of.charged.seen();
  const auto facts = [&](machine_id m) {
    return seen_facts(of, of.picker.avoided(), *found->of, m, now);
  };
  in.seen = survey(of.setup.machines, in.wish, facts);
  if (in.why == wait_reason::no_room && in.seen->fits() == 0) {
    if (in.seen->count(machine_check::kept_away) > 0)
      in.why = wait_reason::kept_away;
    else if (in.seen->count(machine_check::closed) > 0)
      in.why = wait_reason::closed;
    else if (in.seen->count(machine_check::too_small) == in.seen->machines)
      in.why = wait_reason::never_fits;
    else if (in.seen->count(machine_check::too_small) + in.seen->count(machine_check::no_match) ==
             in.seen->machines)
      in.why = wait_reason::no_match;
  }
  if (of.setup.learns_from_snapshots()) {
    in.oldest = seen.greatest_age(now);
    in.freshest = in.oldest;
    for (partition_id p = 0; p < seen.partitions(); ++p)
      in.freshest = std::min(in.freshest, seen.age(p, now));
  }
  if (asked_about && *asked_about < of.setup.machines.machines()) {
    in.asked_seen = examine(of.setup.machines, in.wish, *asked_about, facts(*asked_about));
    if (of.setup.learns_from_snapshots())
      in.asked_age = seen.age(of.setup.partition_of(*asked_about), now);
  }
  return in;
}

} // namespace troupe
