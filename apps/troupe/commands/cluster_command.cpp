#include "cluster/cluster_directory.hpp"
#include "cluster/local_cluster.hpp"
#include "cluster/node_options.hpp"
#include "cluster/parent.hpp"
#include "cluster/run_as.hpp"
#include "commands/commands.hpp"
#include "settings/toml/print.hpp"
#include "support/execute.hpp"
#include "support/inputs.hpp"
#include "support/log.hpp"
#include "support/option_hints.hpp"
#include "support/result_files.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <utility>
#include <vector>

namespace troupe {

namespace {

constexpr const char* quickstart = "configs/quickstart.toml"; ///< of emulated machines
constexpr const char* real_jobs = "configs/jobs.toml";

constexpr const char* cluster_examples = R"(Examples:
  troupe cluster up --nodes 4
  troupe cluster up --nodes 4 --machines 10000
  troupe cluster up my.toml --once --set duration=30s
  troupe cluster up --dir /tmp/my-cluster --restart
  troupe cluster up --serve

Each node is a process on this host. Its certificate comes from a private authority that the command
creates. The first node has the roles master and workload; the others are owners and schedulers.
Without CONFIG and --machines, each of the others is a machine with a part of this host, and runs
commands of jobs ('troupe submit'), which the first node accepts. Otherwise they share the emulated
machines of CONFIG; with --serve, one more node serves the live page. Ctrl-C shuts all nodes down
gracefully, ends the commands and writes the results so far.)";

struct cluster_command_options {
  settings_input input;
  local_cluster_options cluster;
  std::string directory = "cluster";
  std::string certs;
  std::uint32_t machines = 0;
  std::int64_t end_with = 0;
  bool idle = false;
  page_place page;
  bool page_wanted = false;
};

/// Returns the file called `name` in the current directory, or else the installed one.
std::filesystem::path shared_file(const std::string& name) {
  const auto prefix = std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
  for (const auto& file : {std::filesystem::path{name}, prefix / TROUPE_DATA_DIR / name})
    if (std::filesystem::exists(file))
      return file;
  throw usage_error{"cluster up: there is neither " + name + " here nor " +
                    (prefix / TROUPE_DATA_DIR / name).string() + "; expected a CONFIG"};
}

run_settings read_cluster_settings(const cluster_command_options& options) {
  auto input = options.input;
  if (input.file.empty())
    input.file = shared_file(options.machines > 0 ? quickstart : real_jobs).string();
  if (options.machines > 0)
    input.overrides.push_back("cluster.machines=" + std::to_string(options.machines));
  const auto settings = cluster_settings_of(input);
  if (!settings.runs_commands())
    return settings;
  static_cast<void>(user_of_commands(options.cluster.run_as)); // each node asks for it
  if (options.machines > 0)
    throw usage_error{
      "cluster up: --machines with workload.kind = \"jobs\"; expected none, as each "
      "node but the first is a machine"};
  if (options.idle)
    throw usage_error{
      "cluster up: --idle with workload.kind = \"jobs\"; expected none, as jobs come "
      "from clients"};
  return settings;
}

/// Moves the results of other settings to another place.
void keep_other_results(const std::filesystem::path& path, run_settings settings) {
  settings.failures.watch = watch_kind::automatic; // as nodes write them
  const auto config = to_toml(settings);
  if (!holds_other_results(path, config))
    return;
  auto kept = path;
  for (int n = 2; std::filesystem::exists(kept); ++n)
    kept = path.string() + '.' + std::to_string(n);
  std::filesystem::rename(path, kept);
  std::cerr << "troupe: " << path.string()
            << " held the results of other settings; they were moved to " << kept.string() << " now"
            << std::endl;
}

/// In `cluster up --serve CONFIG`, CONFIG looks like the address.
void tell_config_from_address(cluster_command_options& options) {
  if (options.input.file.empty() && std::filesystem::exists(options.page.on))
    options.input.file = std::exchange(options.page.on, default_serve_address);
}

int execute(const cluster_command_options& options) {
  if (options.end_with != 0)
    end_with_parent(static_cast<pid_t>(options.end_with));
  const auto settings = read_cluster_settings(options);
  const cluster_directory directory{options.directory};
  keep_other_results(directory.results(), settings);
  open_results(directory.results());
  write_text(directory.path(), directory.settings().filename().string(), to_toml(settings));
  auto cluster_options = options.cluster;
  cluster_options.workload = !options.idle;
  if (options.page_wanted || settings.runs_commands()) {
    cluster_options.page = options.page;
    if (!options.page_wanted)
      cluster_options.page->on = "127.0.0.1:0";
    if (!options.page.tls)
      page_server(options.page, {"cluster up: ", "--serve", "--serve-tls"},
                  {}); // checks the address
  }
  cluster_options.certs =
    options.certs.empty() ? directory.certs() : std::filesystem::path{options.certs};
  return local_cluster{directory, settings, cluster_options}.run();
}

} // namespace

void add_cluster_command(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("cluster", "Run a whole cluster of processes on this host");
  command->footer(cluster_examples);
  command->require_subcommand(1);
  auto* up = command->add_subcommand("up", "Start a cluster, show its state, stop it on Ctrl-C");
  up->footer(cluster_examples);
  auto o = std::make_shared<cluster_command_options>();
  add_settings_options(*up, o->input);
  up->get_option("CONFIG")->description(std::string{"Settings, in TOML; default: "} + real_jobs);
  up->add_option("--nodes", o->cluster.nodes, "Number of processes")
    ->check(CLI::Range(1, 1000).description(""))
    ->capture_default_str()
    ->type_name("N");
  up->add_option("--machines", o->machines, "The same as --set cluster.machines=N")
    ->check(CLI::Range(1, 100'000'000).description(""))
    ->type_name("N");
  up->add_option("--dir", o->directory, "Directory for state, logs and results")
    ->capture_default_str()
    ->type_name("DIR");
  up->add_option("--certs", o->certs,
                 "Directory of the authority and certificates; default: DIR/certs")
    ->type_name("DIR");
  up->add_flag("--once", o->cluster.once,
               "Stop when the workload ends, with the exit code of troupe run");
  up->add_flag("--restart", o->cluster.restart,
               "Restart nodes that die, except the one with the workload");
  up->add_flag("--idle", o->idle, "Start no workload");
  auto* serve =
    up->add_option_function<std::vector<std::string>>(
        "--serve",
        [o](const std::vector<std::string>& given) {
          o->page_wanted = true;
          if (!given.empty())
            o->page.on = given.front();
        },
        "Serve the live page by one more node; default: " + std::string{default_serve_address})
      ->expected(0, 1)
      ->type_name("[HOST:PORT]");
  up->add_flag("--serve-tls", o->page.tls,
               "With --serve: by TLS, to those with the token or a certificate")
    ->needs(serve);
  up->add_option("--run-as", o->cluster.run_as,
                 "User of the commands of jobs; default: nobody as root, else yours")
    ->type_name("USER");
  up->add_flag("--quiet,-q", o->cluster.quiet, "Show neither progress nor events of nodes");
  choose_from(up->add_option("--node-log-level", o->cluster.log_level, "Log level of the nodes")
                ->default_str("info")
                ->type_name("LEVEL"),
              log_levels());
  o->cluster.log_level = "info";
  up->add_option("--end-with", o->end_with)->group(""); // used by processes of this program
  up->callback([&chosen, o] {
    chosen = [o] {
      tell_config_from_address(*o);
      return execute(*o);
    };
  });
}

} // namespace troupe
