#include "actors/sparrow/sparrow_situation.hpp"

namespace troupe {

wait_reason why_waits(const sparrow_tables& of, const task_id& task) {
  using task_state = open_job::task_state;
  const auto* j = of.jobs.find(task);
  if (j == nullptr)
    return wait_reason::none;
  const auto state = j->tasks[task.index].state;
  if (state == task_state::sent)
    return wait_reason::reserved;
  if (state != task_state::waiting)
    return wait_reason::none;
  const auto& group = j->groups[j->group_of(task.index)];
  if (group.blocked())
    return wait_reason::waits_for_group;
  if (group.closed_out && group.reserved == 0)
    return wait_reason::closed;
  return j->placed ? wait_reason::probing : wait_reason::behind_others;
}

task_situation situation_of(const sparrow_tables& of, const task_id& task) {
  task_situation in;
  const auto* j = of.jobs.find(task);
  if (j == nullptr)
    return in;
  const auto g = j->group_of(task.index);
  const auto& group = j->what.groups[g];
  const auto& note = j->tasks[task.index];
  in.scheduler = of.id;
  in.tenant = j->what.tenant;
  in.priority = j->what.priority;
  in.wish = {group.demand, group.constraints, of.machines.task_classes() > 1 ? group.task_class : 0,
             j->what.spread};
  in.since = of.accounts.waits_since(*j, task, g);
  for (const auto& r : j->reservations)
    if (r.group == g)
      in.machines.push_back(r.machine);
  switch (note.state) {
  case open_job::task_state::waiting:
    in.where = task_situation::place::waits;
    in.why = why_waits(of, task);
    break;
  case open_job::task_state::sent:
    in.where = task_situation::place::in_commit;
    in.why = why_waits(of, task);
    in.machine = note.machine;
    break;
  case open_job::task_state::running:
    in.where = task_situation::place::running;
    in.machine = note.machine;
    break;
  case open_job::task_state::over:
    in.where = task_situation::place::over;
    break;
  }
  if (in.why == wait_reason::behind_others)
    in.queue.ahead = of.jobs.undecided();
  return in;
}

} // namespace troupe
