#pragma once

#include "actors/client/workload.hpp"
#include "actors/common/member_session.hpp"
#include "actors/master/master.hpp"
#include "actors/offers/allocator.hpp"
#include "actors/owner/owner.hpp"
#include "actors/recorder/recorder.hpp"
#include "actors/recorder/run_record.hpp"
#include "actors/scheduler/scheduler.hpp"
#include "actors/sparrow/sparrow_scheduler.hpp"
#include "model/explain/task_watch.hpp"
#include "settings/schema/settings.hpp"

#include <cstdint>
#include <memory>
#include <optional>

/// How the settings of a run make the configurations of its members, whether they can fail or not.
/// Handles of other members are left open.
namespace troupe {

/// The numbers of standbys of a cluster of nodes when it begins; 0: unknown.
struct standby_counts {
  std::uint32_t owners = 0;
  std::uint32_t schedulers = 0;
};

/// Which incarnation of which member is to start.
struct member_start {
  member_entry as;
  /// If failures are watched: how it reaches others and shows that it lives.
  std::optional<failover_rules> failover{};
  duration old_lease{0};  ///< for how long an earlier incarnation may still act
  standby_counts first{}; ///< a master hears of so many
};

/// The parts that all members of one process share.
struct member_parts {
  std::shared_ptr<const catalog> machines;
  std::shared_ptr<run_record> record; ///< receives the faults of policies
  run_clock clock;
  bool begins_whole = false;   ///< all machines are there when the first members start
  task_watch* watch = nullptr; ///< is told of one job by schedulers and owners; null: none
  double withdrawals = 0;      ///< share of the jobs that workloads withdraw
};

owner_config owner_config_of(const run_settings& settings, const member_parts& parts,
                             const member_start& start);

/// Of a scheduler that places tasks on a view.
scheduler_config scheduler_config_of(const run_settings& settings, const member_parts& parts,
                                     const member_start& start);

/// Of a scheduler that probes machines.
sparrow_scheduler_config sparrow_config_of(const run_settings& settings, const member_parts& parts,
                                           const member_start& start);

/// The master keeps the places filled that `start.failover->now` names.
master_config master_config_of(const run_settings& settings, const member_parts& parts,
                               const member_start& start);

allocator_config allocator_config_of(const run_settings& settings, const member_parts& parts,
                                     const member_start& start);

/// Of the workload of group `start.as.number`.
workload_config workload_config_of(const run_settings& settings, const member_parts& parts,
                                   const member_start& start, std::shared_ptr<job_source> source);

/// The members that the recorder asks, or the way to find them, are left open.
recorder_config recorder_config_of(const run_settings& settings, const member_parts& parts);

} // namespace troupe
