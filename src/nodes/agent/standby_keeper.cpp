#include "nodes/agent/standby_keeper.hpp"

#include "jobs/http/job_routes.hpp"
#include "live/live_page.hpp"
#include "nodes/api/policy_routes.hpp"

#include <chrono>
#include <thread>

namespace troupe {

namespace {

constexpr auto standby_pause = std::chrono::milliseconds{100};

/// How long a keeper may be without its lease.
constexpr auto patience_without_lease = std::chrono::milliseconds{1500};

std::string own_page(const node_options& options) {
  if (!options.api || options.api->port == 0)
    return {};
  const auto host = options.advertise.empty() ? options.api->host : options.advertise;
  return (options.api->tls ? "https://" : "http://") + address_text({host, options.api->port}) +
         '/';
}

keeper_options lease_options(const node_options& options) {
  keeper_options lease;
  lease.database = options.settings->groups.front().workload.store;
  const auto& host = options.advertise.empty() ? options.listen.host : options.advertise;
  lease.self = {options.name, address_text({host, options.listen.port}), own_page(options), 0};
  return lease;
}

std::string in_words(const keeper_card& keeper) {
  if (keeper.node.empty())
    return "nobody keeps the jobs yet";
  return "node " + keeper.node + " keeps the jobs" +
         (keeper.page.empty() ? "" : ", at " + keeper.page);
}

/// Answers all who ask for jobs that this node does not keep them.
std::unique_ptr<web_server> serve_standby(const node_options& options,
                                          const std::shared_ptr<const keeper_lease>& lease) try {
  if (!options.api)
    return nullptr;
  auto routes = std::make_shared<route_table>();
  const auto answer = [lease] {
    auto made = error_response(503, "this node is a standby; " + in_words(lease->keeper()));
    made.headers.emplace_back("Retry-After", "1");
    return made;
  };
  mount_without_jobs(*routes, answer);
  mount_without_policies(*routes, answer);
  mount_without_run(*routes, answer);
  return std::make_unique<web_server>(*options.api, routes);
} catch (const std::exception& e) {
  throw std::runtime_error(std::string{"the page of a standby: "} + e.what());
}

} // namespace

bool stands_by(const node_options& options) {
  return options.settings && options.settings->runs_commands() && options.roles.workload &&
         !options.settings->groups.front().workload.store.empty();
}

std::shared_ptr<keeper_lease> wait_for_lease(const node_options& options, node_monitor& monitor) {
  const auto lease = std::make_shared<keeper_lease>(lease_options(options));
  std::unique_ptr<web_server> server;
  const auto since = std::chrono::steady_clock::now();
  auto told_at = since - std::chrono::seconds{1};
  std::string told;
  while (!monitor.stop_requested()) {
    std::string what;
    try {
      if (lease->try_take()) {
        server.reset();
        if (!told.empty())
          monitor.waits("", {});
        return lease;
      }
      what = "this node is a standby; " + in_words(lease->keeper());
    } catch (const store_away& e) {
      what = e.what();
    }
    if (!server && options.api) {
      server = serve_standby(options, lease);
      monitor.serves(server->url());
    }
    const auto now = std::chrono::steady_clock::now();
    if (what != told || now - told_at >= std::chrono::seconds{1}) {
      monitor.waits(what, std::chrono::duration_cast<std::chrono::seconds>(now - since));
      told = what;
      told_at = now;
    }
    std::this_thread::sleep_for(standby_pause);
  }
  return nullptr;
}

void lease_watch::look() {
  if (!lease_ || lease_->is_held()) {
    not_held_since_.reset();
    return;
  }
  if (lease_->is_lost())
    throw stepped_back{"another node keeps the jobs now"};
  const auto now = std::chrono::steady_clock::now();
  if (!not_held_since_)
    not_held_since_ = now;
  if (now - *not_held_since_ > patience_without_lease)
    throw stepped_back{"the lease of the jobs could not be renewed"};
}

} // namespace troupe
