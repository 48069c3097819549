#pragma once

#include "runtime/cluster/member_configs.hpp"

#include <caf/fwd.hpp>

#include <map>
#include <memory>
#include <vector>

namespace troupe {

/// Machines with queues, by number.
using queueing_machines = std::shared_ptr<const std::vector<queueing_machine_actor>>;

/// How members reach machines if failures are not watched, by number.
struct machine_handles {
  std::shared_ptr<const std::vector<launching_actor>> launching; ///< owners
  queueing_machines queueing;                                    ///< schedulers that probe
  std::map<scheduler_id, queueing_machines> own_queueing{};      ///< those with links of their own

  const queueing_machines& queueing_of(scheduler_id s) const {
    const auto own = own_queueing.find(s);
    return own == own_queueing.end() ? queueing : own->second;
  }
};

/// Spawns the members of a cluster except its machines: the only code that turns settings into
/// owners, schedulers, job stores, allocator and master, in virtual and in real time, with and
/// without watched failures, and on nodes.
class member_factory {
public:
  /// `settings` must outlive the factory. Handles are needed if failures are not watched.
  member_factory(caf::actor_system& system, const run_settings& settings, member_parts parts,
                 machine_handles machines = {})
    : system_(system),
      settings_(settings),
      parts_(std::move(parts)),
      machines_(std::move(machines)) {}

  const member_parts& parts() const { return parts_; }

  /// Spawns an owner, a scheduler, the allocator or the master. Throws `std::runtime_error` if a
  /// plugin does not spawn its actor.
  caf::strong_actor_ptr spawn(const member_start& start) const;

  /// Spawns the workload of a group, which submits the jobs of `source`. If failures are watched
  /// it keeps them until they are over.
  caf::strong_actor_ptr spawn_workload(const member_start& start,
                                       std::shared_ptr<job_source> source) const;

private:
  caf::strong_actor_ptr spawn_owner(const member_start& start) const;
  caf::strong_actor_ptr spawn_scheduler(const member_start& start) const;

  caf::actor_system& system_;
  const run_settings& settings_;
  member_parts parts_;
  machine_handles machines_;
};

} // namespace troupe
