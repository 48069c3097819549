#pragma once

#include "actors/common/member_session.hpp"
#include "actors/common/run_clock.hpp"
#include "actors/common/unheard.hpp"
#include "actors/plugin/plugin_counts.hpp"
#include "actors/plugin/plugin_member_core.hpp"
#include "actors/plugin/scheduler_check.hpp"
#include "actors/plugin/scheduler_plugin.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace troupe {

// A scheduler from a plugin, as the other members see it.
using plugin_member_actor = placing_scheduler_actor::extend<
  // INTERNAL: takes a commit of the plugin to the owner with this number.
  caf::reacts_to<owner_id, commit_request>>;

struct plugin_member_config {
  plugin_member_rules rules;
  std::shared_ptr<const catalog> machines;
  std::vector<owner_id> owner_of; ///< the owner of each partition
  failover_rules failover;
  owner_client_actor plugin;                 ///< its actor, which has been told nothing
  std::shared_ptr<scheduler_check> check;    ///< of the messages to the plugin and its commits
  record_level records = record_level::none; ///< what is recorded of jobs and tasks
  task_watch* watch = nullptr;               ///< is told of one job; null: none
  run_clock clock;
};

struct plugin_member_state {
  static inline const char* name = "plugin-member";

  plugin_member_state() = default;

  plugin_member_config config;
  std::optional<plugin_member_core> core;
  std::optional<member_session> member;
  std::vector<caf::actor> fronts; ///< owners, as the plugin reaches them
  std::vector<owner_actor> owners;
  std::vector<incarnation_id> owner_incarnations; ///< the latest that was heard of
  plugin_counts counts;                           ///< of the plugin
  unheard<scheduler_status> unheard_samples;
};

/// Stands in front of the actor of a plugin of the protocol `owners` if failures are watched: a
/// member of the cluster towards the others, and a cluster in which nothing fails towards the
/// plugin. The plugin's actor ends with it.
///
/// Where failures are not watched there is no such member: the plugin's actor gets its messages
/// from proxies without mailboxes (`checked_scheduler`), which run in the sender's thread and keep
/// no state of jobs. A member takes a message, a mailbox and a translation more in each direction,
/// and that world, which measures schedulers, has nothing for which it would be needed.
plugin_member_actor::behavior_type
plugin_member(plugin_member_actor::stateful_pointer<plugin_member_state> self,
              plugin_member_config config);

} // namespace troupe
