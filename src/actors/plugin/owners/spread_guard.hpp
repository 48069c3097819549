#pragma once

#include "actors/plugin/owners/plugin_member_tables.hpp"

#include <vector>

namespace troupe {

/// Keeps the tasks of a job that spreads apart where the plugin cannot: it does not know that tasks
/// are of one job if an earlier incarnation has placed some of them.
class spread_guard {
public:
  explicit spread_guard(const plugin_member_tables& tables) : tables_(tables) {}

  /// Drops the alternatives of a commit, by the numbers of the cluster, that would put a task
  /// beside another one of its job that spreads. Returns the refusals of the placements that would:
  /// of all placements if the commit stands or falls as one.
  std::vector<rejection> keep_apart(commit_request& wanted) const;

  /// Returns whether a machine has another task of the job of a task, or one is on its way there,
  /// that the plugin does not know to be of the same job.
  bool has_beside(const task_id& task, machine_id machine) const;

private:
  bool is_other(const task_id& other, const task_id& task) const;
  bool goes_there(const plugin_commit& commit, const task_id& task, machine_id machine) const;

  const plugin_member_tables& tables_;
};

} // namespace troupe
