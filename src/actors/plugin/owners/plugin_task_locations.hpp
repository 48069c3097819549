#pragma once

#include "actors/plugin/owners/plugin_job_intake.hpp"
#include "actors/plugin/owners/plugin_task_ends.hpp"

namespace troupe {

/// Finds out where the tasks of a plugin run. A task may run on a machine that its owner does not
/// know yet; it counts as running until an owner has reported it, or no machine can run it any
/// more. An end is booked only if the task is known to have run there.
class plugin_task_locations {
public:
  plugin_task_locations(plugin_member_tables& tables, shown_room& room, plugin_job_intake& intake,
                        plugin_task_ends& ends)
    : tables_(tables), room_(room), intake_(intake), ends_(ends) {}

  /// Books the end of a run, unless the task does not run there as far as is known.
  void end(const task_end& end) {
    if (forget(end.task, end.machine))
      ends_.end(end);
  }

  /// The same for a task that had to give way.
  void preempt(const preempted_task& gone) {
    if (forget(gone.task, gone.machine))
      ends_.preempt(gone);
  }

  /// Notes where all tasks are that an owner tells of.
  void locate_all(const owner_statement& statement);

  /// Gives a task that does not run where it might have run back to the plugin.
  void put_back(const task_id& task, instant now);

  /// When all owners know their machines, tasks that no owner has found do not run: jobs that
  /// waited for that are taken in, and the tasks are queued.
  void settle_unsure(instant now);

private:
  /// Notes the place of a task, or its place until its end, if the place was uncertain.
  void locate(const task_id& task, machine_id machine);

  /// Forgets that a task runs on a machine. Returns false if it does not.
  bool forget(const task_id& task, machine_id machine);

  plugin_member_tables& tables_;
  shown_room& room_;
  plugin_job_intake& intake_;
  plugin_task_ends& ends_;
};

} // namespace troupe
