#include "cluster/cluster_access.hpp"
#include "commands/commands.hpp"
#include "support/json_output.hpp"
#include "top/watch_cluster.hpp"

#include <CLI/CLI.hpp>

#include <cmath>
#include <memory>

namespace troupe {

namespace {

constexpr const char* top_examples = R"(Examples:
  troupe top
  troupe top --cluster /tmp/my-cluster
  troupe top --once --json
  troupe top --at 10.0.0.1:7400 --certs certs --as laptop)";

struct top_options {
  cluster_access access;
  watch_options watch;
  double interval = 1;
};

} // namespace

void add_top_command(CLI::App& app, action& chosen) {
  auto* command =
    app.add_subcommand("top", "Show a running cluster in the terminal while it goes on");
  command->footer(top_examples);
  auto o = std::make_shared<top_options>();
  add_cluster_access(*command, o->access);
  command->add_option("--interval", o->interval, "Time between two looks at the cluster")
    ->type_name("SECONDS")
    ->check(CLI::Range(0.1, 3600.0).description(""))
    ->capture_default_str();
  command->add_flag("--once", o->watch.once, "Show one sample as text, and end");
  add_json_option(*command, o->watch.json);
  command->callback([&chosen, o] {
    chosen = [o] {
      if (std::isnan(o->interval))
        throw usage_error{"top: --interval nan; expected 0.1 .. 3600 s"};
      o->watch.to = contact_of(o->access);
      o->watch.interval = std::chrono::milliseconds{static_cast<std::int64_t>(o->interval * 1e3)};
      return watch_cluster(o->watch);
    };
  });
}

} // namespace troupe
