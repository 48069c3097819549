#pragma once

#include "actors/plugin/owners/plugin_member_tables.hpp"
#include "actors/plugin/owners/shown_room.hpp"

#include <cstdint>

namespace troupe {

/// Books that tasks have stopped to run: they are over, or queued with the plugin again. A plugin
/// hears of the end of a task only if it knows the task. Otherwise it is given the task as a job if
/// the task has to run again.
class plugin_task_ends {
public:
  plugin_task_ends(plugin_member_tables& tables, shown_room& room) : tables_(tables), room_(room) {}

  /// Books the end of a task that ran. A lost task runs again as often as it may.
  void end(const task_end& end);

  /// Books that a task that ran had to give way.
  void preempt(const preempted_task& gone);

  /// Books that a task which might have run does not.
  void put_back(const task_id& task, instant now);

  /// Books the tasks of a group of jobs that the plugin has given up, as
  /// `plugin_member_core::abandon_queued` says.
  std::uint64_t abandon_queued(std::uint32_t group, std::uint64_t given_up, instant now);

private:
  bool count_if_over(const task_id& task);
  void close(const task_id& task, instant at, task_fate fate);
  void queue_again(const task_id& task, instant at);
  void tell_end(const task_id& task, task_outcome outcome, instant at);

  plugin_member_tables& tables_;
  shown_room& room_;
};

} // namespace troupe
