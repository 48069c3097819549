#include "cluster/cluster_access.hpp"
#include "commands/commands.hpp"
#include "nodes/client/cluster_text.hpp"
#include "support/json_output.hpp"
#include "support/terminal.hpp"
#include "top/watch_cluster.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>

namespace troupe {

namespace {

constexpr const char* status_examples = R"(Examples:
  troupe status
  troupe status --cluster /tmp/my-cluster --json
  troupe status --at 10.0.0.1:7400 --certs certs --as laptop)";

constexpr const char* nodes_examples = R"(Examples:
  troupe nodes
  troupe nodes --json
  troupe nodes --at 10.0.0.1:7400 --certs certs --as laptop)";

struct status_options {
  cluster_access access;
  bool json = false;
  bool watch = false; ///< status only
};

int show_status(const status_options& options) {
  if (options.watch)
    return watch_cluster({.to = contact_of(options.access), .json = options.json});
  cluster_client line{contact_of(options.access)};
  const auto all = line.status();
  if (options.json)
    print_json(cluster_json(all));
  else
    write_status(std::cout, all);
  return exit_code::done;
}

int show_nodes(const status_options& options) {
  cluster_client line{contact_of(options.access)};
  const auto all = line.status();
  if (options.json)
    print_json({{"nodes", cluster_json(all).at("nodes")}});
  else
    write_nodes(std::cout, all, terminal_width());
  return exit_code::done;
}

void add(CLI::App& app, action& chosen, const char* name, const char* what, const char* examples,
         int (*run)(const status_options&)) {
  auto* command = app.add_subcommand(name, what);
  command->footer(examples);
  auto o = std::make_shared<status_options>();
  add_cluster_access(*command, o->access);
  if (run == show_status)
    command->add_flag("--watch", o->watch, "Show it again and again, as troupe top does");
  add_json_option(*command, o->json);
  command->callback([&chosen, o, run] { chosen = [o, run] { return run(*o); }; });
}

} // namespace

void add_status_command(CLI::App& app, action& chosen) {
  add(app, chosen, "status", "Show the state of a running cluster", status_examples, show_status);
}

void add_nodes_command(CLI::App& app, action& chosen) {
  add(app, chosen, "nodes", "Show the nodes of a running cluster", nodes_examples, show_nodes);
}

} // namespace troupe
