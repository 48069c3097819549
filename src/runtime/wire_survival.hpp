#pragma once

#include "actors/guarded_queue.hpp"
#include "actors/guarded_sparrow.hpp"
#include "actors/machine/machine.hpp"
#include "actors/master.hpp"
#include "actors/recorder.hpp"
#include "runtime/wire_members.hpp"

#include <memory>

/// How the settings of a run make the configurations of members that may fail. How they reach each
/// other is left open.
namespace troupe {

/// Owners, of which there are none where schedulers probe machines, and schedulers, in those lives.
roster places_of(const run_settings& settings, incarnation life);

/// How many partition owners there are.
std::uint32_t owner_places(const run_settings& settings);

/// The first life of a machine that is started is `life`.
std::shared_ptr<machine_session_config> machine_session_config_of(const run_settings& settings,
                                                                  const catalog& machines,
                                                                  machine_id number,
                                                                  incarnation life);

/// The same of a machine with a queue. `usage`, if any, is told what is in use of it.
guarded_queue_config guarded_queue_config_of(const run_settings& settings, const catalog& machines,
                                             machine_id number, incarnation life,
                                             std::shared_ptr<executor> runs_on,
                                             std::shared_ptr<machine_usage> usage,
                                             const run_clock& clock);

owner_config guarded_owner_config_of(const run_settings& settings, const promotion& as,
                                     std::shared_ptr<const catalog> machines,
                                     survival_rules survival, const run_clock& clock);

scheduler_config guarded_scheduler_config_of(const run_settings& settings, const promotion& as,
                                             std::shared_ptr<const catalog> machines,
                                             survival_rules survival,
                                             const std::shared_ptr<run_record>& record,
                                             const run_clock& clock);

/// Of a scheduler that probes machines.
guarded_sparrow_config guarded_sparrow_config_of(const run_settings& settings, const promotion& as,
                                                 std::shared_ptr<const catalog> machines,
                                                 survival_rules survival, const run_clock& clock);

/// `places` are those that the master keeps filled.
master_config guarded_master_config_of(const run_settings& settings, const roster& places,
                                       incarnation life, const run_clock& clock);

allocator_config guarded_allocator_config_of(const run_settings& settings,
                                             std::shared_ptr<const catalog> machines,
                                             survival_rules survival, const run_clock& clock);

/// The job store of a group.
workload_config guarded_workload_config_of(const run_settings& settings, std::uint32_t group,
                                           std::shared_ptr<job_source> source,
                                           survival_rules survival, const run_clock& clock);

/// How the members are found is left open.
recorder_config guarded_recorder_config_of(const run_settings& settings, const catalog& machines,
                                           std::shared_ptr<run_record> record,
                                           const run_clock& clock);

} // namespace troupe
