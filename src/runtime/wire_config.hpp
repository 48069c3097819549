#pragma once

#include "actors/owner.hpp"
#include "actors/scheduler.hpp"
#include "actors/workload.hpp"
#include "model/sync_plan.hpp"
#include "settings/settings.hpp"

#include <memory>
#include <vector>

/// What settings mean for the actors that are wired by them.
namespace troupe {

conflict_detection detection_of(const run_settings& settings);

/// Returns the owner of each partition.
std::vector<owner_id> owners_of(const run_settings& settings);

/// Returns how scheduler `id`, which is as `s` says, decides, commits and tries again.
scheduler_limits limits_of(const scheduler_settings& s, const run_settings& settings,
                           scheduler_id id);

/// Returns whether a refused task of any scheduler waits for news of what was in its way.
bool any_waits_for_refresh(const run_settings& settings);

/// Returns what schedulers serve tenants by: none where they cannot know what tenants use.
std::vector<tenant_quota> quotas_of(const run_settings& settings);

/// Returns what owners record because a setting needs it.
ranking_options ranking_of(const run_settings& settings);

/// Returns the jobs of each group. Throws `std::runtime_error` if they cannot be read.
std::vector<std::shared_ptr<job_source>> sources_of(const run_settings& settings);

/// Returns what all jobs of a workload have in common.
job_traits traits_of(const workload_settings& w, const run_settings& settings);

/// Returns the sync plan that the settings ask for.
sync_plan plan_of(const run_settings& settings);

} // namespace troupe
