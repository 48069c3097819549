#pragma once

#include "actors/scheduler/commits/commit_answers.hpp"
#include "actors/scheduler/commits/commit_sender.hpp"
#include "actors/scheduler/commits/owner_reports.hpp"
#include "actors/scheduler/decisions/decision_maker.hpp"
#include "actors/scheduler/queue/job_intake.hpp"
#include "actors/scheduler/queue/task_retries.hpp"
#include "actors/scheduler/recovery/reconciliation.hpp"
#include "actors/scheduler/recovery/takeover.hpp"
#include "actors/scheduler/scheduler_tables.hpp"
#include "actors/scheduler/view/view_updates.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace troupe {

/// The classes that a scheduler consists of: its tables, and the steps that change them. A step
/// keeps only state that no other step looks at, and calls steps before it only.
struct scheduler_parts : scheduler_tables {
  scheduler_parts(scheduler_id id, const catalog& machines, std::vector<owner_id> owner_of,
                  std::unique_ptr<placement_policy> policy, const scheduler_limits& limits,
                  random_stream stream, instant now, std::uint32_t own_group,
                  std::vector<tenant_quota> tenants)
    : scheduler_tables(id, machines, std::move(owner_of), limits, stream, now, own_group,
                       std::move(tenants)),
      picker(*this, std::move(policy)) {}

  // -- tasks ----------------------------------------------------------------------------------
  task_closer ends{*this};
  task_retries retries{*this, ends};
  job_intake intake{*this};
  task_locations locations{*this, intake, ends};

  // -- decisions ------------------------------------------------------------------------------
  machine_picker picker;
  placement_charger charger{*this, picker};
  gang_decisions gangs{*this, picker, charger, ends};
  decision_maker decisions{*this, picker, charger, gangs, ends};

  // -- commits --------------------------------------------------------------------------------
  owner_reports reports{*this, locations};
  commit_sender sender{*this, reports};
  view_updates updates{*this};
  placement_results results{*this, picker};
  commit_answers answers{*this, picker, sender, results, updates, retries, reports};

  // -- failures -------------------------------------------------------------------------------
  reconciliation sessions{*this, reports, locations, answers};
  takeover earlier{*this, reports, intake, locations};
};

} // namespace troupe
