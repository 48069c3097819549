#pragma once

#include "jobs/service/attempts/attempt_ends.hpp"
#include "jobs/service/attempts/attempt_grants.hpp"
#include "jobs/service/attempts/node_reports.hpp"
#include "jobs/service/jobs/group_canceller.hpp"
#include "jobs/service/jobs/group_releaser.hpp"
#include "jobs/service/jobs/job_finisher.hpp"
#include "jobs/service/jobs/job_starter.hpp"
#include "jobs/service/placing/task_pauses.hpp"
#include "jobs/service/placing/task_placer.hpp"
#include "jobs/service/work_tables.hpp"

namespace troupe {

/// The classes that a work book consists of: its tables, and the steps that change them. A step
/// keeps only state that no other step looks at, and calls steps before it only.
struct work_parts : work_tables {
  using work_tables::work_tables;

  // -- tasks to be placed -----------------------------------------------------------------------
  task_placer placer{*this};
  task_pauses pauses{*this, placer};

  // -- jobs and their groups --------------------------------------------------------------------
  group_releaser releaser{*this, placer};
  group_canceller canceller{*this};
  job_finisher finisher{*this, releaser, canceller};
  job_starter starter{*this, placer, releaser, finisher};

  // -- attempts ---------------------------------------------------------------------------------
  attempt_ends ends{*this, placer, finisher};
  attempt_grants grants{*this};
  node_reports reports{*this, ends, grants};
};

} // namespace troupe
