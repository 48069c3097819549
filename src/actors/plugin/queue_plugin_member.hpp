#pragma once

#include "actors/common/run_clock.hpp"
#include "actors/plugin/plugin_counts.hpp"
#include "actors/plugin/queue_fronts.hpp"
#include "actors/plugin/queue_plugin_core.hpp"
#include "actors/plugin/scheduler_check.hpp"
#include "actors/sparrow/sparrow_tie.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <memory>
#include <optional>

namespace troupe {

// A scheduler from a plugin of the protocol `queues`, as machines and other members see it.
using queue_plugin_actor = sparrow_scheduler_actor::extend<
  // INTERNAL: passes a message of the plugin to the machine with this number on to its session.
  caf::reacts_to<machine_id, queue_entry>, caf::reacts_to<machine_id, task_assignment>,
  caf::reacts_to<machine_id, cancellation>, caf::reacts_to<machine_id, queue_probe>,
  caf::reacts_to<machine_id, capacity_heard>>;

struct queue_plugin_config {
  queue_plugin_rules rules;
  std::shared_ptr<const catalog> machines;
  sparrow_session_config session;
  queue_client_actor plugin;                 ///< its actor, which has been told nothing
  queue_fronts fronts;                       ///< the machines as it knows them
  std::shared_ptr<scheduler_check> check;    ///< of the plugin's messages in both directions
  record_level records = record_level::none; ///< what is recorded of jobs and tasks
  task_watch* watch = nullptr;               ///< is told of one job; null: none
  run_clock clock;
};

struct queue_plugin_state {
  static inline const char* name = "queue-plugin-member";

  queue_plugin_state() = default;

  /// The session, or null before the begin.
  const sparrow_session* session() const { return tie ? &tie->session : nullptr; }

  queue_plugin_config config;
  std::optional<queue_plugin_core> core;
  std::unique_ptr<sparrow_tie> tie;
  plugin_counts counts; ///< of the plugin
  sparrow_outbox out;
};

/// Stands in front of the actor of a plugin of the protocol `queues` if failures are watched: a
/// member of the cluster towards the others, and machines that only leave, return and change
/// towards the plugin. The plugin's actor ends with it. `plugin_member` says why there is no
/// such member where failures are not watched.
queue_plugin_actor::behavior_type
queue_plugin_member(queue_plugin_actor::stateful_pointer<queue_plugin_state> self,
                    queue_plugin_config config);

} // namespace troupe
