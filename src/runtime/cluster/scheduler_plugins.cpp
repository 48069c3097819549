#include "runtime/cluster/scheduler_plugins.hpp"

#include "actors/plugin/plugin_member.hpp"
#include "actors/plugin/queue_plugin_member.hpp"
#include "actors/plugin/scheduler_plugin.hpp"
#include "model/base/log.hpp"
#include "policies/plugin_call.hpp"
#include "runtime/cluster/actor_configs.hpp"
#include "runtime/cluster/checked_scheduler.hpp"
#include "runtime/cluster/places.hpp"
#include "runtime/cluster/probing.hpp"
#include "settings/schema/kept_records.hpp"

#include <caf/actor_system.hpp>

#include <stdexcept>

namespace troupe {

namespace {

scheduler_world world_of(const run_settings& settings, const member_parts& parts,
                         const member_start& start,
                         const std::shared_ptr<const std::vector<queueing_machine_actor>>& queues) {
  const auto number = start.as.number;
  const auto alike = alike_of(settings, number);
  const auto config = scheduler_config_of(settings, parts, start);
  scheduler_world world;
  world.id = number;
  world.group = config.group;
  world.machines = config.machines;
  world.owner_of = config.owner_of;
  world.queues = queues;
  world.limits = config.limits;
  world.limits.records = record_level::none; // they are kept outside of the plugin
  world.limits.watch = nullptr;
  world.probing = probing_limits(alike.scheduler, settings);
  world.probing.records = record_level::none;
  world.watch_machines = settings.sparrow.watch_machines;
  world.tenants = config.tenants;
  world.policy = choose(alike.scheduler.policy, alike.policy.of(alike.scheduler.policy));
  world.policy_changes = config.changes;
  world.make_policy = config.make_policy;
  world.random = config.random;
  world.clock = config.clock;
  if (const auto own = alike.scheduler.own.find(alike.scheduler.actor);
      own != alike.scheduler.own.end())
    world.settings = own->second;
  return world;
}

/// A run ends with the fault in its record; a node that has no record of the run logs it.
std::shared_ptr<scheduler_check> check_of(const scheduler_world& world, const std::string& label,
                                          const std::shared_ptr<run_record>& record, bool logs) {
  return std::make_shared<scheduler_check>(world.id, world.machines, world.owner_of, label,
                                           [record, logs](const std::string& why) {
                                             if (logs)
                                               log::error("{}", why);
                                             const std::lock_guard lock{record->mutex};
                                             if (record->error.empty())
                                               record->error = why;
                                           });
}

scheduler_actor spawn_actor(caf::actor_system& system, const registered_plugin& plugin,
                            scheduler_world world) {
  const auto label = label_of(plugin);
  const auto& descriptor = *static_cast<const scheduler_descriptor*>(plugin.descriptor);
  scheduler_actor handle;
  const plugin_call inside{label, "spawn"};
  try {
    handle = descriptor.spawn(system, std::move(world));
  } catch (const std::exception& e) {
    throw std::runtime_error(label + ": spawn() threw: " + e.what());
  } catch (...) {
    throw std::runtime_error(label + ": spawn() threw something that is no std::exception");
  }
  if (!handle)
    throw std::runtime_error(label + ": spawn() returned no actor");
  return handle;
}

/// Spawns what stands in front of a scheduler of the protocol `owners` if failures are watched.
caf::strong_actor_ptr spawn_owner_member(caf::actor_system& system, const registered_plugin& plugin,
                                         const run_settings& settings, const member_parts& parts,
                                         const member_start& start, scheduler_world world,
                                         const std::shared_ptr<scheduler_check>& check) {
  plugin_member_config config;
  config.rules = {world.id,
                  world.group,
                  start.as.incarnation,
                  groups_of(settings, world.id),
                  settings.failures.retries,
                  world.limits.commit_timeout,
                  world.limits.source == view_source::own_tasks,
                  world.limits.warmup};
  config.machines = world.machines;
  config.owner_of = world.owner_of;
  config.failover = *start.failover;
  config.check = check;
  config.records = kept_records(settings);
  config.watch = parts.watch;
  config.clock = world.clock;
  config.plugin =
    caf::actor_cast<owner_client_actor>(spawn_actor(system, plugin, std::move(world)));
  return caf::actor_cast<caf::strong_actor_ptr>(system.spawn(plugin_member, std::move(config)));
}

/// The same, of the protocol `queues`.
caf::strong_actor_ptr spawn_queue_member(caf::actor_system& system, const registered_plugin& plugin,
                                         const run_settings& settings, const member_parts& parts,
                                         const member_start& start, scheduler_world world,
                                         const std::shared_ptr<scheduler_check>& check) {
  queue_plugin_config config;
  config.rules = {world.id, world.group, world.limits.warmup};
  config.machines = world.machines;
  config.session = *sparrow_config_of(settings, parts, start).session;
  config.fronts = queue_fronts{system, world.machines->machines()};
  config.check = check;
  config.records = kept_records(settings);
  config.watch = parts.watch;
  config.clock = world.clock;
  world.queues = config.fronts.handles();
  world.watch_machines = false; // they fail as notices say
  config.plugin =
    caf::actor_cast<queue_client_actor>(spawn_actor(system, plugin, std::move(world)));
  return caf::actor_cast<caf::strong_actor_ptr>(
    system.spawn(queue_plugin_member, std::move(config)));
}

/// Returns what keeps the records of a scheduler of a plugin where failures are not watched, or
/// null if nothing is recorded.
std::shared_ptr<plugin_listener> make_listener(const scheduler_world& world, bool uses_queues,
                                               record_level level, task_watch* watch) {
  auto records =
    plugin_records::make(level, world.id, *world.machines,
                         uses_queues ? std::vector<owner_id>{} : world.owner_of, watch);
  return records ? std::make_shared<plugin_listener>(std::move(records), world.machines) : nullptr;
}

} // namespace

const registered_plugin* scheduler_plugin_of(const std::string& actor) {
  const auto* plugin = find_registered(plugin_kind::scheduler_actor, actor);
  return plugin != nullptr && !plugin->built_in() ? plugin : nullptr;
}

const registered_plugin* scheduler_plugin_of(const run_settings& settings, scheduler_id number) {
  return scheduler_plugin_of(alike_of(settings, number).scheduler.actor);
}

caf::strong_actor_ptr
spawn_from_plugin(caf::actor_system& system, const registered_plugin& plugin,
                  const run_settings& settings, const member_parts& parts,
                  const member_start& start,
                  const std::shared_ptr<const std::vector<queueing_machine_actor>>& queues) {
  auto world = world_of(settings, parts, start, queues);
  const auto check = check_of(world, label_of(plugin), parts.record, start.failover.has_value());
  if (!start.failover) {
    const bool uses_queues = probes(settings, world.id);
    const auto listener = make_listener(world, uses_queues, kept_records(settings), parts.watch);
    if (listener && uses_queues)
      world.queues = listen_to_queues(system, *world.queues, listener, world.clock);
    const auto clock = world.clock;
    return caf::actor_cast<caf::strong_actor_ptr>(check_scheduler(
      system, spawn_actor(system, plugin, std::move(world)), check, listener, clock));
  }
  if (probes(settings, world.id))
    return spawn_queue_member(system, plugin, settings, parts, start, std::move(world), check);
  return spawn_owner_member(system, plugin, settings, parts, start, std::move(world), check);
}

} // namespace troupe
