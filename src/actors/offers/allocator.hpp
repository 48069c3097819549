#pragma once

#include "actors/common/member_session.hpp"
#include "actors/common/run_clock.hpp"
#include "actors/common/unheard.hpp"
#include "actors/offers/allocator_core.hpp"
#include "actors/offers/framework_contacts.hpp"
#include "actors/protocol/handles.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace troupe {

struct allocator_config {
  std::shared_ptr<const catalog> machines;
  std::vector<double> weights;         ///< of the frameworks, which are the schedulers
  std::vector<std::uint32_t> group_of; ///< of each framework
  offer_rules rules;
  duration interval = std::chrono::seconds{1}; ///< free resources are offered this often
  run_clock clock;
  /// If failures are watched: owners and schedulers are reached through `failover.reach`. The
  /// allocator begins with `failover.as.incarnation` and takes another one whenever one of them
  /// does.
  std::optional<failover_rules> failover{};
  std::uint32_t owners = 0;
};

struct allocator_state {
  static inline const char* name = "allocator";

  allocator_state() = default;

  allocator_config config;
  std::optional<allocator_core> core;
  std::vector<owner_actor> owners;
  std::vector<placing_scheduler_actor> schedulers;
  std::uint64_t rounds = 0;
  instant next_recall = instant::max();       ///< when a timer for recalls goes off
  std::optional<member_session> member;       ///< if failures are watched
  std::optional<framework_contacts> contacts; ///< likewise
  bool voids_offers = false;                  ///< a framework has become silent
  std::uint32_t incarnation = 0;
  unheard<allocator_status> unheard_samples; ///< likewise
};

/// The allocator of a two-level cluster. Once per interval it offers the free resources to the
/// framework whose turn it is. Frameworks commit tasks on offered resources to the owners, and
/// answer the offers.
allocator_actor::behavior_type allocator(allocator_actor::stateful_pointer<allocator_state> self,
                                         allocator_config config);

} // namespace troupe
