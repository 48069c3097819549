#include "actors/scheduler_plugin.hpp"
#include "commands.hpp"
#include "log.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <string>

namespace {

constexpr const char* description =
  "Troupe runs cluster schedulers as actors, in virtual or in real time.";

constexpr const char* examples = R"(Examples:
  troupe run configs/quickstart.toml
  troupe run configs/quickstart.toml --seed 2 --set policy.tau=500ms
  troupe compare a.toml b.toml --seeds 5
  troupe sweep a.toml --vary sync.gap=500ms,1s,2s --vary schedulers=5,10 --seeds 5
  troupe experiment configs/experiments/e1
  troupe chaos configs/chaos/parsync.toml --seeds 1..100
  troupe cluster up --nodes 4 --machines 10000
  troupe config > my.toml
  troupe run --help

Exit codes: 0 done; 1 a run, a self-check or an expectation failed; 2 the settings or the command
line are wrong; 130 and 143: ended by SIGINT or SIGTERM, results so far are written.)";

void complain(const std::string& message) {
  std::fprintf(stderr, "troupe: %s\n", message.c_str());
}

int reject(const CLI::App& app, const std::string& message) {
  std::string command = "troupe";
  for (const auto* sub : app.get_subcommands())
    command += ' ' + sub->get_name();
  complain(message + "; see '" + command + " --help'");
  return troupe::exit_code::usage;
}

std::string unexpected(const CLI::App& app) {
  const auto word = app.remaining(true).front();
  const bool no_command = app.get_subcommands().empty();
  const char* what = word.starts_with('-') ? "unknown option '"
                     : no_command          ? "unknown command '"
                                           : "unexpected argument '";
  return what + word + '\'';
}

int run_command_line(int argc, char** argv) {
  CLI::App app{description, "troupe"};
  app.footer(examples);
  app.get_formatter()->column_width(28);
  app.fallthrough();
  app.set_version_flag("--version", [] { return std::string{"troupe " TROUPE_VERSION}; });
  std::string log_level = "warn";
  app
    .add_option("--log-level", log_level,
                "What to log to stderr: trace, debug, info, warn, error, off")
    ->check(CLI::IsMember{troupe::log_levels()}.description(""))
    ->capture_default_str()
    ->type_name("LEVEL");
  troupe::action chosen;
  troupe::add_run_command(app, chosen);
  troupe::add_compare_command(app, chosen);
  troupe::add_sweep_command(app, chosen);
  troupe::add_find_command(app, chosen);
  troupe::add_experiment_command(app, chosen);
  troupe::add_chaos_command(app, chosen);
  troupe::add_results_command(app, chosen);
  troupe::add_config_command(app, chosen);
  troupe::add_policies_command(app, chosen);
  troupe::add_check_command(app, chosen);
  troupe::add_new_command(app, chosen);
  troupe::add_trace_command(app, chosen);
  troupe::add_cluster_command(app, chosen);
  troupe::add_fidelity_command(app, chosen);
  troupe::add_status_command(app, chosen);
  troupe::add_nodes_command(app, chosen);
  troupe::add_drain_command(app, chosen);
  troupe::add_node_command(app, chosen);
  troupe::add_certs_command(app, chosen);
  troupe::add_version_command(app, chosen);
  app.require_subcommand(0, 1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {
    return app.exit(e);
  } catch (const CLI::ExtrasError&) {
    return reject(app, unexpected(app));
  } catch (const CLI::ParseError& e) {
    return reject(app, e.what());
  }
  if (!chosen)
    return reject(app, "a command is needed; the first to try is run");
  troupe::start_logging(log_level);
  return chosen();
}

} // namespace

int main(int argc, char** argv) {
  try {
    troupe::enable_scheduler_plugins();
    return run_command_line(argc, argv);
  } catch (const troupe::usage_error& e) {
    complain(e.what());
    return troupe::exit_code::usage;
  } catch (const std::exception& e) {
    complain(e.what());
    return troupe::exit_code::failed;
  }
}
