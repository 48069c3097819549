#include "actors/sparrow/sparrow_core.hpp"

namespace troupe {

wait_reason sparrow_core::why_waits(const task_id& task) const {
  const auto it = jobs_.find(task.job);
  if (it == jobs_.end() || task.index >= it->second.tasks.size())
    return wait_reason::none;
  const auto& j = it->second;
  const auto state = j.tasks[task.index].state;
  if (state == task_state::sent)
    return wait_reason::reserved;
  if (state != task_state::waiting)
    return wait_reason::none;
  const auto& group = j.groups[j.group_of(task.index)];
  if (group.blocked())
    return wait_reason::waits_for_group;
  if (group.closed_out && group.reserved == 0)
    return wait_reason::closed;
  return j.placed ? wait_reason::probing : wait_reason::behind_others;
}

task_situation sparrow_core::situation_of(const task_id& task) const {
  task_situation in;
  const auto it = jobs_.find(task.job);
  if (it == jobs_.end() || task.index >= it->second.tasks.size())
    return in;
  const auto& j = it->second;
  const auto g = j.group_of(task.index);
  const auto& group = j.what.groups[g];
  const auto& note = j.tasks[task.index];
  in.scheduler = id_;
  in.tenant = j.what.tenant;
  in.priority = j.what.priority;
  in.wish = {group.demand, group.constraints, machines_->task_classes() > 1 ? group.task_class : 0,
             j.what.spread};
  in.since = waits_since(j, task, g);
  for (const auto& r : j.reservations)
    if (r.group == g)
      in.machines.push_back(r.machine);
  switch (note.state) {
  case task_state::waiting:
    in.where = task_situation::place::waits;
    in.why = why_waits(task);
    break;
  case task_state::sent:
    in.where = task_situation::place::in_commit;
    in.why = why_waits(task);
    in.machine = note.machine;
    break;
  case task_state::running:
    in.where = task_situation::place::running;
    in.machine = note.machine;
    break;
  case task_state::over:
    in.where = task_situation::place::over;
    break;
  }
  if (in.why == wait_reason::behind_others)
    in.queue.ahead = undecided_.size();
  return in;
}

} // namespace troupe
