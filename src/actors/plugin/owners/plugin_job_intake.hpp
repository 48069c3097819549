#pragma once

#include "actors/plugin/owners/plugin_member_tables.hpp"
#include "actors/plugin/owners/shown_room.hpp"

#include <vector>

namespace troupe {

/// Takes jobs in: new ones, and those that an earlier incarnation of the scheduler has left.
class plugin_job_intake {
public:
  plugin_job_intake(plugin_member_tables& tables, shown_room& room)
    : tables_(tables), room_(room) {}

  /// Takes in jobs that have not started.
  void submit(const std::vector<kept_job>& delivered);

  /// Takes in a job that is left. `failover_books::running` says which of its tasks run. While
  /// owners do not know all their machines, each other task of it may run somewhere.
  void resume(kept_job left);

private:
  struct running_tasks {
    std::vector<task_place> placed; ///< on known machines
    std::vector<task_place> unsure; ///< that may run
  };

  running_tasks find_running(const kept_job& left);

  plugin_member_tables& tables_;
  shown_room& room_;
};

} // namespace troupe
