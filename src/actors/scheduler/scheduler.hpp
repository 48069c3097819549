#pragma once

#include "actors/common/member_session.hpp"
#include "actors/common/run_clock.hpp"
#include "actors/common/unheard.hpp"
#include "actors/protocol/handles.hpp"
#include "actors/scheduler/scheduler_core.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace troupe {

struct scheduler_config {
  scheduler_id id = 0;
  std::uint32_t group = 0; ///< that it belongs to
  std::shared_ptr<const catalog> machines;
  std::vector<owner_id> owner_of;                            ///< the owner of each partition
  std::function<std::unique_ptr<placement_policy>()> policy; ///< makes its policy
  std::string policy_name{};                                 ///< its name
  /// Makes another policy to change to; none: it never changes.
  std::function<std::unique_ptr<placement_policy>(const policy_choice&)> make_policy{};
  std::vector<std::pair<instant, policy_choice>> changes{}; ///< of the policy, and when
  scheduler_limits limits;
  std::vector<tenant_quota> tenants; ///< the tenants that share the cluster, if there are several
  random_stream random;
  run_clock clock;
  /// If failures are watched: everyone is reached through `failover.reach`, and job stores of
  /// these numbers deliver jobs.
  std::optional<failover_rules> failover{};
  std::vector<std::uint32_t> stores{};
  std::uint32_t retries = 0; ///< lost runs of a task after which it is given up; 0: never
};

struct scheduler_state {
  static inline const char* name = "scheduler";

  scheduler_state() = default;

  scheduler_config config;
  std::optional<scheduler_core> core;
  std::vector<owner_actor> owners;
  allocator_actor allocator; ///< none but where there is one
  bool deciding = false;
  std::optional<instant> wakes; ///< when it has itself woken for a retry
  instant decision_due{0}; ///< when the decision under way, or the last one, has taken its time
  std::optional<member_session> member;           ///< set in runs with failures
  std::vector<incarnation_id> owner_incarnations; ///< the latest that was heard of, likewise
  unheard<scheduler_status> unheard_samples;      ///< likewise
};

/// A scheduler: queues tasks, decides at its modelled speed, commits optimistically.
placing_scheduler_actor::behavior_type
scheduler(placing_scheduler_actor::stateful_pointer<scheduler_state> self, scheduler_config config);

} // namespace troupe
