#include "cluster/cluster_page.hpp"
#include "cluster/node_options.hpp"
#include "commands/commands.hpp"
#include "support/live_run.hpp"
#include "support/signals.hpp"
#include "web/token.hpp"

#include <CLI/CLI.hpp>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
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
  std::string on = default_serve_address;
  bool tls = false;
};

web_options server_of(const serve_command_options& options) {
  web_options made;
  read_address(default_serve_address, made);
  if (const auto wrong = read_address(options.on, made); !wrong.empty())
    throw usage_error{"serve: --on " + options.on + ": " + wrong};
  if (!options.tls)
    return made;
  const auto files = files_of(options.access);
  made.tls = credentials_of(files.directory.string(), files.name);
  made.token = token_in(files.directory / (files.name + ".token"));
  return made;
}

int serve(const serve_command_options& options) {
  watch_signals();
  cluster_page page{options.access, server_of(options)};
  std::cerr << "troupe: the live page is at " << page.url() << " until Ctrl-C" << std::endl;
  auto next = std::chrono::steady_clock::now();
  while (caught_signal() == 0) {
    if (std::chrono::steady_clock::now() >= next) {
      page.look();
      next = std::chrono::steady_clock::now() + serve_interval;
    }
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
  command->add_option("--on", o->on, "Where to listen; port 0 takes a free one")
    ->type_name("HOST:PORT")
    ->capture_default_str();
  command->add_flag("--tls", o->tls,
                    "Serve by TLS, to those with the token or a certificate of the authority");
  command->callback([&chosen, o] { chosen = [o] { return serve(*o); }; });
}

} // namespace troupe
