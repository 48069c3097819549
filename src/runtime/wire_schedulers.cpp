#include "runtime/wire_schedulers.hpp"

#include "actors/scheduler_plugin.hpp"
#include "policies/plugin_call.hpp"
#include "runtime/guarded_scheduler.hpp"
#include "runtime/linker.hpp"
#include "runtime/wire_config.hpp"
#include "runtime/wire_policies.hpp"

#include <caf/actor_cast.hpp>
#include <caf/actor_system.hpp>

#include <stdexcept>

namespace troupe {

namespace {

/// What all schedulers that are alike are spawned with; their number and random stream are open.
scheduler_world world_of(const cluster& c, const group_settings& alike, std::uint32_t group,
                         const run_settings& settings, const wiring_options& options) {
  const auto& policy = alike.scheduler.policy;
  scheduler_world world;
  world.group = group;
  world.machines = c.machines;
  world.owner_of = owners_of(settings);
  world.queues = c.queues.linked;
  world.probing = probing_limits(alike.scheduler, settings);
  world.watch_machines = settings.sparrow.watch_machines;
  world.tenants = quotas_of(settings);
  world.policy = choose(policy, alike.policy.of(policy));
  world.policy_changes = changes_of(alike, settings);
  world.make_policy = policies_for(options.record);
  world.clock = options.clock;
  return world;
}

/// Lets a plugin spawn its actor and puts a guard in front of it.
scheduler_actor spawn_guarded(caf::actor_system& system, cluster& c,
                              const registered_plugin& plugin, scheduler_world world,
                              const std::shared_ptr<run_record>& record) {
  const auto label = label_of(plugin);
  c.guards.back() = std::make_shared<scheduler_guard>(world.id, world.machines, world.owner_of,
                                                      label, [record](const std::string& why) {
                                                        const std::lock_guard lock{record->mutex};
                                                        if (record->error.empty())
                                                          record->error = why;
                                                      });
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
  return guard_scheduler(system, handle, c.guards.back());
}

} // namespace

void spawn_schedulers(caf::actor_system& system, cluster& c, const group_settings& alike,
                      std::uint32_t group, const run_settings& settings,
                      const wiring_options& options) {
  auto world = world_of(c, alike, group, settings, options);
  const auto& actor = alike.scheduler.actor;
  const auto* plugin = find_registered(plugin_kind::scheduler_actor, actor);
  const bool guarded = plugin != nullptr && !plugin->built_in();
  if (guarded && alike.scheduler.own.contains(actor))
    world.settings = alike.scheduler.own.at(actor);
  const linker link{system, settings, options.clock, options.virtual_time};
  for (std::uint32_t i = 0; i < alike.schedulers; ++i) {
    world.id = static_cast<scheduler_id>(c.schedulers.size());
    world.limits = limits_of(alike.scheduler, settings, world.id);
    world.random = random_stream::derive(settings.seed, "scheduler", world.id);
    const bool asks_queues = probes(alike.scheduler, settings, i);
    c.guards.emplace_back();
    if (guarded)
      c.schedulers.push_back(spawn_guarded(system, c, *plugin, world, options.record));
    else
      c.schedulers.push_back(
        find_scheduler(asks_queues ? "sparrow" : "placing")->spawn(system, world));
    if (!asks_queues)
      continue;
    auto& known = c.queues.neighbours->schedulers;
    known.resize(c.schedulers.size());
    known.back() = caf::actor_cast<sparrow_scheduler_actor>(
      link(c.schedulers.back(), "machines", numbered("scheduler", world.id)));
  }
}

} // namespace troupe
