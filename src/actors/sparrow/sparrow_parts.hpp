#pragma once

#include "actors/sparrow/probing/machine_search.hpp"
#include "actors/sparrow/probing/probe_sender.hpp"
#include "actors/sparrow/probing/task_launcher.hpp"
#include "actors/sparrow/probing/task_reservations.hpp"
#include "actors/sparrow/recovery/job_takeover.hpp"
#include "actors/sparrow/recovery/machine_changes.hpp"
#include "actors/sparrow/runs/job_closer.hpp"
#include "actors/sparrow/runs/task_runs.hpp"
#include "actors/sparrow/sparrow_tables.hpp"

namespace troupe {

/// The classes that a Sparrow scheduler consists of: its tables, and the steps that change them. A
/// step keeps only state that no other step looks at, and calls steps before it only.
struct sparrow_parts : sparrow_tables {
  using sparrow_tables::sparrow_tables;

  // -- machines for tasks -----------------------------------------------------------------------
  task_launcher launcher{*this};
  task_reservations reservations{*this, launcher};
  probe_sender probes{*this, launcher};
  machine_search search{*this, launcher, reservations, probes};

  // -- what machines tell of tasks --------------------------------------------------------------
  job_closer closer{*this, reservations, search};
  task_runs runs{*this, reservations, search, closer};

  // -- failures ---------------------------------------------------------------------------------
  machine_changes changes{*this, probes, search, closer, runs};
  job_takeover earlier{*this};
};

} // namespace troupe
