#pragma once

#include "actors/common/machine_index.hpp"
#include "actors/common/member_session.hpp"
#include "actors/common/reach.hpp"
#include "actors/common/run_clock.hpp"
#include "actors/common/unheard.hpp"
#include "actors/owner/machine_leases.hpp"
#include "actors/owner/owner_core.hpp"
#include "actors/protocol/handles.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace troupe {

struct owner_config {
  owner_id id = 0;
  std::shared_ptr<const catalog> machines;
  std::vector<partition_id> partitions; ///< the ones it owns
  /// How to reach the machines, by number; those of other owners' partitions may be empty.
  std::shared_ptr<const std::vector<launching_actor>> handles;
  std::uint32_t schedulers = 0;
  /// Those of them that need no owner, rising. Used if failures are watched.
  std::vector<scheduler_id> probers{};
  conflict_detection detection = conflict_detection::fine;
  sync_plan plan = sync_plan::none();
  owner_duties duties;
  /// Task ends are reported to schedulers at most this late; 0: at once, those of one instant
  /// together.
  duration report_interval = std::chrono::milliseconds{100};
  /// Snapshots follow the reports of all ends that they contain. So a scheduler that frees the
  /// resources of its tasks when their ends are reported does not free them a second time.
  bool reports_first = false;
  /// A report whose acknowledgement takes longer is sent again.
  duration resend_after = std::chrono::seconds{2};
  /// Holds of a scheduler are released when it has been silent for this long: many times its commit
  /// time-out.
  duration hold_timeout = std::chrono::seconds{30};
  /// Machines have queues, which also hold tasks of other schedulers: if failures are not watched,
  /// machines are told when a trace changes their capacity.
  bool tells_capacity = false;
  bool watch_machines = true; ///< monitor the machines, and take out those that die
  run_clock clock;
  task_watch* watch = nullptr; ///< is told of grants; null: none
  /// If failures are watched: everyone is reached through `failover.reach`, and the machines
  /// show signs of life instead of being monitored.
  std::optional<failover_rules> failover{};
  machine_leases_rules leases{};
};

struct owner_state {
  static inline const char* name = "owner";

  owner_state() = default;

  owner_config config;
  std::optional<owner_core> core;
  std::vector<placing_scheduler_actor> schedulers;
  allocator_actor allocator; ///< none but where there is one
  machine_index machine_of;
  std::vector<granted_placement> granted;
  bool report_pending = false;
  bool resend_pending = false;
  bool release_pending = false;
  std::optional<machine_leases> leases;      ///< if failures are watched
  bool said_ready = false;                   ///< likewise, to the log
  bool said_all = false;                     ///< likewise
  std::uint64_t round = 0;                   ///< the latest round of snapshots
  std::optional<member_session> member;      ///< likewise
  std::map<machine_id, machine_actor> hosts; ///< machines that have shown up
  unheard<owner_status> unheard_samples;     ///< likewise
};

/// A partition owner: the one that grants.
owner_actor::behavior_type owner(owner_actor::stateful_pointer<owner_state> self,
                                 owner_config config);

} // namespace troupe
