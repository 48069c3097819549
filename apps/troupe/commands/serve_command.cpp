#include "cluster/cluster_access.hpp"
#include "cluster/page_place.hpp"
#include "commands/commands.hpp"
#include "nodes/api/cluster_page.hpp"
#include "support/signals.hpp"

#include <CLI/CLI.hpp>

#include <chrono>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <thread>

namespace troupe {

namespace {

constexpr const char* serve_examples = R"(Examples:
  troupe serve
  troupe serve --cluster /tmp/my-cluster --on 127.0.0.1:9000
  troupe serve --at 10.0.0.1:7400 --certs certs --as laptop --on 0.0.0.0:8980 --tls

The page has the figures, plots, partitions, members, nodes and events of the cluster. /metrics has
the metrics for Prometheus. With --tls, readers need a client certificate of the cluster's authority
or the token, which is part of the address that the command prints.)";

constexpr auto serve_interval = std::chrono::seconds{1};

struct serve_command_options {
  cluster_access access;
  page_place place;
};

/// Reaches the cluster by the options, and looks for a later one in the same directory, which has
/// another address.
cluster_page_host page_host_of(const cluster_access& access) {
  const auto at = std::make_shared<cluster_client_options>(contact_of(access));
  cluster_page_host host;
  host.connect = [at] { return std::make_unique<cluster_client>(*at); };
  host.find_another = [at, access]() -> std::unique_ptr<cluster_live> {
    try {
      const auto now = contact_of(access);
      if (now.at.host == at->at.host && now.at.port == at->at.port)
        return nullptr;
      return std::make_unique<cluster_live>([at, now] {
        auto reached = std::make_unique<cluster_client>(now);
        *at = now;
        return reached;
      });
    } catch (const usage_error&) {
      return nullptr; // there is no cluster now
    }
  };
  host.say = [](const std::string& what) { std::cerr << "troupe: " << what << std::endl; };
  return host;
}

std::unique_ptr<cluster_page> open_page(const serve_command_options& options) {
  auto host = page_host_of(options.access);
  const auto where = page_server(options.place, {"serve: ", "--on", "--tls"},
                                 options.place.tls ? files_of(options.access) : client_files{});
  cluster_client{contact_of(options.access)}.status(); // throws if nobody answers
  try {
    return std::make_unique<cluster_page>(std::move(host), where);
  } catch (const std::exception& e) {
    throw usage_error{std::string{"serve: "} + e.what()};
  }
}

int serve(const serve_command_options& options) {
  watch_signals();
  const auto page = open_page(options);
  page->look();
  std::cerr << "troupe: the live page is at " << page->url() << " until Ctrl-C" << std::endl;
  auto next = std::chrono::steady_clock::now();
  while (caught_signal() == 0) {
    if (std::chrono::steady_clock::now() >= next) {
      page->look();
      next = std::chrono::steady_clock::now() + serve_interval;
    }
    page->answer();
    std::this_thread::sleep_for(std::chrono::milliseconds{50});
  }
  return 128 + caught_signal();
}

} // namespace

void add_serve_command(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("serve", "Serve the live page of a running cluster");
  command->footer(serve_examples);
  auto o = std::make_shared<serve_command_options>();
  add_cluster_access(*command, o->access);
  command->add_option("--on", o->place.on, "Where to listen; port 0 takes a free one")
    ->type_name("HOST:PORT")
    ->capture_default_str();
  command->add_flag("--tls", o->place.tls,
                    "Serve by TLS, to those with the token or a certificate of the authority");
  command->callback([&chosen, o] { chosen = [o] { return serve(*o); }; });
}

} // namespace troupe
