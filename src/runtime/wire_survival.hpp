#pragma once

#include "actors/guarded_machine.hpp"
#include "actors/master.hpp"
#include "runtime/wire_members.hpp"

#include <memory>

/// How the settings of a run make the configurations of members that may fail. How they reach each
/// other is left open.
namespace troupe {

/// Owners and schedulers, in those lives.
roster places_of(const run_settings& settings, incarnation life);

/// The first life of a machine that is started is `life`.
guarded_machine_config guarded_machine_config_of(const run_settings& settings,
                                                 const catalog& machines, machine_id number,
                                                 incarnation life,
                                                 std::shared_ptr<executor> runs_on,
                                                 const run_clock& clock);

owner_config guarded_owner_config_of(const run_settings& settings, const promotion& as,
                                     std::shared_ptr<const catalog> machines,
                                     survival_rules survival, const run_clock& clock);

scheduler_config guarded_scheduler_config_of(const run_settings& settings, const promotion& as,
                                             std::shared_ptr<const catalog> machines,
                                             survival_rules survival,
                                             const std::shared_ptr<run_record>& record,
                                             const run_clock& clock);

/// `places` are those that the master keeps filled.
master_config guarded_master_config_of(const run_settings& settings, const roster& places,
                                       incarnation life, const run_clock& clock);

/// The job store of a group.
workload_config guarded_workload_config_of(const run_settings& settings, std::uint32_t group,
                                           std::shared_ptr<job_source> source,
                                           survival_rules survival, const run_clock& clock);

} // namespace troupe
