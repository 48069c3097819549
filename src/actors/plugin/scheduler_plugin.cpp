#include "actors/plugin/scheduler_plugin.hpp"

#include "actors/scheduler/scheduler.hpp"
#include "actors/sparrow/sparrow_scheduler.hpp"
#include "policies/plugin_call.hpp"
#include "policies/plugin_library.hpp"

#include <algorithm>

namespace troupe {

namespace {

scheduler_actor spawn_placing(caf::actor_system& system, scheduler_world world) {
  scheduler_config config;
  config.id = world.id;
  config.group = world.group;
  config.machines = std::move(world.machines);
  config.owner_of = std::move(world.owner_of);
  config.policy = [make = world.make_policy, policy = std::move(world.policy)] {
    return make(policy);
  };
  config.make_policy = std::move(world.make_policy);
  config.changes = std::move(world.policy_changes);
  config.limits = std::move(world.limits);
  config.tenants = std::move(world.tenants);
  config.random = world.random;
  config.clock = world.clock;
  return system.spawn(scheduler, std::move(config));
}

scheduler_actor spawn_sparrow(caf::actor_system& system, scheduler_world world) {
  sparrow_scheduler_config config;
  config.id = world.id;
  config.group = world.group;
  config.machines = std::move(world.machines);
  config.handles = std::move(world.queues);
  config.limits = world.probing;
  config.watch_machines = world.watch_machines;
  config.random = world.random;
  config.clock = world.clock;
  return system.spawn(sparrow_scheduler, std::move(config));
}

} // namespace

std::span<const scheduler_descriptor> builtin_schedulers() {
  static const std::vector<scheduler_descriptor> all = {
    {.name = "placing",
     .summary = "places tasks on a view",
     .protocol = scheduler_protocol::owners,
     .spawn = spawn_placing},
    {.name = "sparrow",
     .summary = "probes machines",
     .protocol = scheduler_protocol::queues,
     .spawn = spawn_sparrow},
  };
  return all;
}

const scheduler_descriptor* find_scheduler(std::string_view name) {
  const auto builtins = builtin_schedulers();
  const auto own = std::ranges::find(builtins, name, &scheduler_descriptor::name);
  if (own != builtins.end())
    return &*own;
  const auto* entry = find_registered(plugin_kind::scheduler_actor, name);
  return entry == nullptr ? nullptr : static_cast<const scheduler_descriptor*>(entry->descriptor);
}

void register_scheduler(const scheduler_descriptor& scheduler, std::string origin) {
  if (scheduler.spawn == nullptr)
    throw plugin_error(origin + ": the plugin '" + std::string(scheduler.name) +
                       "' has no function that spawns its actor");
  register_plugin({plugin_kind::scheduler_actor, scheduler.name, scheduler.summary,
                   scheduler.settings, std::move(origin), &scheduler,
                   scheduler.protocol == scheduler_protocol::queues});
}

void enable_scheduler_plugins() {
  add_plugin_loader(
    {scheduler_actor_kind, abi_text(scheduler_actor_kind, TROUPE_SCHEDULER_ABI, scheduler_layout),
     [](const void* descriptor, const std::string& path) {
       register_scheduler(*static_cast<const scheduler_descriptor*>(descriptor), path);
     }});
}

void register_plugin_types(caf::actor_system_config& config) {
  for (const auto* entry : registered(plugin_kind::scheduler_actor))
    if (const auto* plugin = static_cast<const scheduler_descriptor*>(entry->descriptor))
      if (plugin->register_types != nullptr) {
        const auto label = label_of(*entry);
        const plugin_call inside{label, "register_types"};
        plugin->register_types(config);
      }
}

} // namespace troupe
