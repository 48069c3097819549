#include "nodes/agent/node_system.hpp"

#include "actors/plugin/scheduler_plugin.hpp"
#include "actors/protocol/register_messages.hpp"
#include "nodes/routing/node_messages.hpp"

#include <caf/all.hpp>
#include <caf/io/all.hpp>

#include <algorithm>
#include <thread>

namespace troupe {

void configure_node_system(caf::actor_system_config& config, std::chrono::milliseconds heartbeat,
                           std::chrono::milliseconds timeout) {
  register_messages(config);
  register_node_messages(config);
  register_plugin_types(config);
  config.load<caf::io::middleman>();
  config.set("scheduler.policy", caf::atom("sharing"));
  config.set("scheduler.max-threads",
             std::max<std::size_t>(2, std::thread::hardware_concurrency()));
  config.set("scheduler.max-throughput", std::size_t{300});
  config.set("middleman.workers", std::size_t{0}); // a batch is one string: quick to read
  config.set("middleman.heartbeat-interval", caf::timespan{heartbeat});
  config.set("middleman.connection-timeout", caf::timespan{timeout});
}

} // namespace troupe
