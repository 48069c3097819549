#include "nodes/node_system.hpp"

#include "actors/messages.hpp"
#include "actors/scheduler_plugin.hpp"
#include "nodes/connect_limit.hpp"
#include "nodes/node_messages.hpp"

#include <caf/all.hpp>
#include <caf/io/all.hpp>
#include <caf/openssl/manager.hpp>

#include <algorithm>
#include <thread>

namespace troupe {

namespace {

constexpr auto longest_connect = std::chrono::seconds{1};

} // namespace

void configure_node_system(caf::actor_system_config& config,
                           const std::optional<tls_files>& credentials,
                           std::chrono::milliseconds heartbeat, std::chrono::milliseconds timeout) {
  limit_connects(longest_connect);
  config.add_message_types<caf::id_block::troupe>();
  config.add_message_types<caf::id_block::troupe_nodes>();
  register_plugin_types(config);
  config.load<caf::io::middleman>();
  config.load<caf::openssl::manager>();
  config.set("scheduler.policy", caf::atom("sharing"));
  config.set("scheduler.max-threads",
             std::max<std::size_t>(2, std::thread::hardware_concurrency()));
  config.set("scheduler.max-throughput", std::size_t{300});
  config.set("middleman.workers", std::size_t{1});
  config.set("middleman.heartbeat-interval", caf::timespan{heartbeat});
  config.set("middleman.connection-timeout", caf::timespan{timeout});
  if (!credentials)
    return;
  config.openssl_certificate = credentials->certificate.string();
  config.openssl_key = credentials->key.string();
  config.openssl_cafile = credentials->authority.string();
}

} // namespace troupe
