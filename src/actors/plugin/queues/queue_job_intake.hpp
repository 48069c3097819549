#pragma once

#include "actors/plugin/queues/queue_plugin_tables.hpp"

#include <map>
#include <vector>

namespace troupe {

/// Takes jobs in for a queue plugin: new ones, and those that an earlier incarnation has left.
class queue_job_intake {
public:
  explicit queue_job_intake(queue_plugin_tables& tables) : tables_(tables) {}

  /// Takes in jobs that have not started.
  void submit(std::vector<job> jobs);

  /// Takes in a job that is left. `runs_on` says which tasks run, and where.
  void resume(const kept_job& left, const std::map<task_id, machine_id>& runs_on);

private:
  queue_plugin_tables& tables_;
};

} // namespace troupe
