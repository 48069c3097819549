#pragma once

#include "actors/allocator.hpp"
#include "actors/owner.hpp"
#include "actors/run_record.hpp"
#include "actors/scheduler.hpp"
#include "actors/workload.hpp"
#include "settings/settings.hpp"

#include <memory>

/// How the settings of a run make the configurations of its members. The handles of others are left
/// open.
namespace troupe {

owner_config owner_config_of(const run_settings& settings, owner_id id,
                             std::shared_ptr<const catalog> machines, const run_clock& clock);

/// Of a scheduler that places tasks. `alike` are the settings of its group, or of the pool, `group`
/// its number; `record` is told of policies that break down.
scheduler_config scheduler_config_of(const run_settings& settings, const group_settings& alike,
                                     std::uint32_t group, scheduler_id id,
                                     std::shared_ptr<const catalog> machines,
                                     const std::shared_ptr<run_record>& record,
                                     const run_clock& clock);

workload_config workload_config_of(const run_settings& settings, const group_settings& group,
                                   std::uint32_t number, std::shared_ptr<job_source> source,
                                   const run_clock& clock);

allocator_config allocator_config_of(const run_settings& settings,
                                     std::shared_ptr<const catalog> machines,
                                     const run_clock& clock);

} // namespace troupe
