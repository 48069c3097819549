#pragma once

#include "actors/plugin/owners/plugin_owner_reports.hpp"

namespace troupe {

/// Takes over the jobs and tasks of an earlier incarnation of a plugin's scheduler, once every job
/// store has handed over the jobs that are left, and every owner has stated which tasks run. A job
/// of which no task is known to run stays aside while owners do not know all their machines.
class plugin_takeover {
public:
  plugin_takeover(plugin_member_tables& tables, shown_room& room, plugin_job_intake& intake,
                  plugin_task_locations& locations, plugin_owner_reports& reports)
    : tables_(tables), room_(room), intake_(intake), locations_(locations), reports_(reports) {}

  /// Keeps the statement of an owner, and continues if no other statement is missing.
  void hear(const owner_statement& statement);

  /// Takes in a delivery of a job store: the remaining jobs, or new ones.
  void deliver(const job_delivery& what);

private:
  void go_on();
  void resume_jobs();
  void begin_sessions();

  plugin_member_tables& tables_;
  shown_room& room_;
  plugin_job_intake& intake_;
  plugin_task_locations& locations_;
  plugin_owner_reports& reports_;
};

} // namespace troupe
