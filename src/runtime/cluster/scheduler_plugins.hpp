#pragma once

#include "policies/plugin.hpp"
#include "runtime/cluster/member_configs.hpp"

#include <caf/fwd.hpp>

#include <memory>
#include <string>
#include <vector>

/// Schedulers whose actors come from plugins.
namespace troupe {

/// Returns the plugin of scheduler actors of that name, or null if they are built in.
const registered_plugin* scheduler_plugin_of(const std::string& actor);

/// Returns the plugin that scheduler `number` comes from, or null if its actor is built in.
const registered_plugin* scheduler_plugin_of(const run_settings& settings, scheduler_id number);

/// Has `plugin` spawn a scheduler, and puts a check in front of it; if failures are watched, a
/// member of the cluster (`plugin_member` or `queue_plugin_member`). A fault of the plugin becomes
/// the error of the record. `queues` are the queues of machines, by number, or null. Throws
/// `std::runtime_error` if the plugin does not spawn its actor.
caf::strong_actor_ptr
spawn_from_plugin(caf::actor_system& system, const registered_plugin& plugin,
                  const run_settings& settings, const member_parts& parts,
                  const member_start& start,
                  const std::shared_ptr<const std::vector<queueing_machine_actor>>& queues);

} // namespace troupe
