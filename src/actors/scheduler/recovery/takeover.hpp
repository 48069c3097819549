#pragma once

#include "actors/scheduler/commits/owner_reports.hpp"
#include "actors/scheduler/queue/job_intake.hpp"
#include "actors/scheduler/recovery/task_locations.hpp"
#include "actors/scheduler/scheduler_tables.hpp"

#include <optional>

namespace troupe {

/// Takes over the jobs and tasks of an earlier incarnation of the scheduler, once every job store
/// has handed over the jobs that are left, and every owner has stated which tasks run. A job of
/// which no task is known to run stays aside while owners do not know all their machines.
class takeover {
public:
  takeover(scheduler_tables& tables, owner_reports& reports, job_intake& intake,
           task_locations& locations)
    : tables_(tables), reports_(reports), intake_(intake), locations_(locations) {}

  /// Keeps the statement of an owner, and continues if no other statement is missing.
  void hear(const owner_statement& statement);

  /// Takes in a delivery of a job store: the remaining jobs, or new ones.
  void deliver(const job_delivery& what);

private:
  void go_on();
  void resume_jobs();
  void begin_sessions();

  scheduler_tables& tables_;
  owner_reports& reports_;
  job_intake& intake_;
  task_locations& locations_;
};

} // namespace troupe
