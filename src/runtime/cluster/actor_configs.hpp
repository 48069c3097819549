#pragma once

#include "actors/client/workload.hpp"
#include "actors/owner/owner.hpp"
#include "actors/scheduler/scheduler.hpp"
#include "model/protocol/sync_plan.hpp"
#include "settings/schema/settings.hpp"

#include <memory>
#include <vector>

/// The configurations of actors that follow from the settings.
namespace troupe {

/// Returns the owner of each partition.
std::vector<owner_id> owners_of(const run_settings& settings);

/// Returns how scheduler `id`, which is as `s` says, decides, commits and tries again.
scheduler_limits limits_of(const scheduler_settings& s, const run_settings& settings,
                           scheduler_id id);

/// Returns whether refused tasks of any scheduler wait for a view with the cause of the refusal.
bool any_waits_for_refresh(const run_settings& settings);

/// Returns whether the view of any scheduler follows the ends of its own tasks.
bool any_counts_own_ends(const run_settings& settings);

/// Returns the quotas of tenants; none if schedulers cannot know the use by tenants.
std::vector<tenant_quota> quotas_of(const run_settings& settings);

/// Returns the ranking that owners record if a setting needs it.
ranking_options ranking_of(const run_settings& settings);

/// Returns the jobs of each group. Throws `std::runtime_error` if they cannot be read.
std::vector<std::shared_ptr<job_source>> sources_of(const run_settings& settings);

/// Returns the properties that all jobs of a workload share.
job_traits traits_of(const workload_settings& w, const run_settings& settings);

/// Returns the sync plan that the settings ask for.
sync_plan plan_of(const run_settings& settings);

} // namespace troupe
