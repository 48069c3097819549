#include "cluster/host_offer.hpp"
#include "cluster/node_options.hpp"
#include "cluster/page_place.hpp"
#include "cluster/parent.hpp"
#include "cluster/run_as.hpp"
#include "commands/commands.hpp"
#include "nodes/agent/run_node.hpp"
#include "nodes/registry/identity_text.hpp"
#include "report/csv/row_writer.hpp"
#include "report/progress/progress.hpp"
#include "report/results/results_directory.hpp"
#include "report/summary/summary_table.hpp"
#include "report/text/printable.hpp"
#include "report/text/text.hpp"
#include "security/authority.hpp"
#include "security/certified_identity.hpp"
#include "security/error.hpp"
#include "settings/toml/print.hpp"
#include "support/execute.hpp"
#include "support/explain_desk.hpp"
#include "support/inputs.hpp"
#include "support/option_hints.hpp"
#include "support/signals.hpp"
#include "support/terminal.hpp"

#include <CLI/CLI.hpp>

#include <atomic>
#include <fstream>
#include <iostream>
#include <memory>
#include <mutex>
#include <sstream>
#include <unistd.h>

namespace troupe {

namespace {

constexpr const char* node_examples = R"(Examples:
  troupe node --name a --roles master,owner,scheduler --listen 10.0.0.1:7400 \
    --config configs/quickstart.toml --certs certs
  troupe node --name b --roles machine --machines 4000 --listen 10.0.0.2:7400 \
    --join 10.0.0.1:7400 --certs certs
  troupe node --name c --roles machine --memory 24 --attribute rack=r7 \
    --listen 10.0.0.3:7400 --join 10.0.0.1:7400 --certs certs

A node with the role api serves the live page of the cluster, and its API: see --serve.

A node with the role machine is one machine of the cluster. It offers the cores, memory and GPUs of
its host, one slot per core, and the attributes arch and os; --cpu, --memory, --gpu, --slots and
--attribute change that. With --machines N it emulates N machines as the settings describe them.

The node that has the role master reads the settings of the cluster; the others get them from it.
While the cluster waits for nodes, each node prints what is missing. The first SIGINT, SIGTERM or
SIGHUP shuts a node down gracefully: its owners and schedulers move to other nodes, and its machines
finish their tasks. The second SIGINT or SIGTERM ends it at once; no task is lost then either.)";

struct node_command_options {
  settings_input input;
  std::string name;
  std::string roles;
  std::string listen = "127.0.0.1:0";
  std::string advertise;
  std::string join;
  std::string certs;
  std::string state;
  std::string out;
  page_place page;
  bool page_wanted = false; ///< where or how it is served was given
  std::uint32_t machines = 0;
  host_offer offer;
  std::uint32_t owners = 0;
  std::uint32_t schedulers = 0;
  std::uint32_t expected = 0;
  std::int64_t end_with = 0;
  std::string run_as;
  bool keep_commands = false;
  bool quiet = false;
};

/// Shorter than those of the clients that wait for an answer.
constexpr explain_desk::patience question_patience{std::chrono::seconds{1},
                                                   std::chrono::seconds{120}};

/// The settings as the user wrote them: a node watches failures in any case.
run_settings as_given(run_settings settings) {
  settings.failures.watch = watch_kind::automatic;
  return settings;
}

class console_node final : public node_monitor {
public:
  console_node(const node_command_options& options, const node_options& node)
    : options_(options), node_(node) {
    if (options.out.empty())
      return;
    directory_.emplace(open_results(options.out));
    rows_.emplace(*directory_);
  }

  void listens(const host_port& at) override {
    const auto fresh = node_.state / "address.new";
    std::ofstream{fresh} << at.host << ':' << at.port << '\n';
    std::filesystem::rename(fresh, node_.state / "address");
    if (!options_.quiet)
      std::cerr << "node " << node_.name << " listens on " << at.host << ':' << at.port
                << (node_.credentials ? ", mutual TLS" : ", loopback only: it has no certificates")
                << std::endl;
  }

  void serves(const std::string& url) override {
    write_page_address(node_.state, url);
    if (!options_.quiet)
      std::cerr << "node " << node_.name << " serves the live page at " << url << std::endl;
  }

  void waits(const std::string& what, std::chrono::seconds since) override {
    if (options_.quiet)
      return;
    const bool changed = what != waits_for_;
    waits_for_ = what;
    const auto text = "node " + node_.name + ' ' +
                      (what.empty() ? "has stopped waiting" : "waits: " + printable(what, 1000)) +
                      (since.count() > 0 ? " (" + std::to_string(since.count()) + " s)" : "");
    if (redraws(STDERR_FILENO))
      std::cerr << "\r\x1b[K" << troupe::fit(text, 79) << (what.empty() ? "\n" : "") << std::flush;
    else if (changed || since - waits_told_ >= std::chrono::seconds{10})
      std::cerr << text << std::endl;
    else
      return;
    waits_told_ = since;
  }

  void work_begins(const run_settings& settings) override {
    if (!rows_ || settings.records != record_level::tasks)
      return;
    explain_desk::sources from;
    from.config = to_toml(as_given(settings));
    from.records = directory_->path();
    from.write_records = [this]() -> std::function<bool()> {
      const auto number = ++records_wanted_;
      return [this, number] { return over_ || records_written_ >= number; };
    };
    const std::lock_guard lock{mutex_};
    desk_ = std::make_unique<explain_desk>(std::move(from), question_patience);
  }

  void find_story(const story_request& asked, std::function<void(story_reply)> tell) override {
    const std::lock_guard lock{mutex_};
    if (!desk_)
      return tell({501,
                   R"({"error":"this cluster keeps no records of tasks so far; expected the )"
                   R"(setting records = \"tasks\", and --out on the node with the workload"})"});
    desk_->ask({asked.why_not, asked.task, asked.machine, ""},
               [tell = std::move(tell)](web_response answer) {
                 tell({answer.status, std::move(answer.body)});
               });
  }

  void progress(const run_progress& at) override {
    if (rows_) {
      rows_->flush_now_and_then();
      if (const auto wanted = records_wanted_.load(); wanted > records_written_.load()) {
        rows_->flush_records();
        records_written_ = wanted;
      }
    }
    last_ = at;
    if (!options_.quiet)
      printer_.update(at);
  }

  bool take_row(const interval_record& row, const run_results& so_far) override {
    if (rows_)
      rows_->add(row, so_far);
    return true;
  }

  bool take_row(const tenant_record& row, const run_results& so_far) override {
    if (rows_)
      rows_->add(row, so_far);
    return true;
  }

  void take_records(const record_batch& records, const run_results& so_far) override {
    if (rows_)
      rows_->add(records, so_far);
  }

  void results(const run_results& measured, const run_settings& settings) override {
    auto results = measured;
    if (rows_)
      rows_->finish(results);
    if (!options_.quiet)
      printer_.finish(last_);
    std::ostringstream text;
    write_summary(text, results);
    std::cout << with_verdicts(text.str()) << std::flush;
    if (directory_)
      written_ = report_where(*directory_, results, to_toml(as_given(settings)));
    over_ = true;
  }

  /// Returns whether the results were written to the intended place.
  bool has_written() const { return written_; }

  bool stop_requested() override { return caught_signal() != 0; }

private:
  const node_command_options& options_;
  const node_options& node_;
  std::optional<results_directory> directory_;
  std::optional<row_writer> rows_; ///< of the workload, if it runs here
  bool written_ = true;
  std::string waits_for_;
  std::chrono::seconds waits_told_{0};
  run_progress last_;
  progress_printer printer_{std::cerr, progress_on_stderr()};
  std::atomic<std::uint64_t> records_wanted_{0}; ///< counts requests
  std::atomic<std::uint64_t> records_written_{0};
  std::atomic<bool> over_{false}; ///< the workload, and its results are written
  std::mutex mutex_;
  std::unique_ptr<explain_desk> desk_; ///< guarded by mutex_; null: no records of tasks are kept
};

std::filesystem::path node_state(const node_command_options& o) {
  return o.state.empty() ? std::filesystem::path{"cluster"} / o.name
                         : std::filesystem::path{o.state};
}

node_options read_options(const node_command_options& o) {
  node_options node;
  try {
    check_node_name(o.name);
  } catch (const security_error& e) {
    throw usage_error{std::string{"--name: "} + e.what()};
  }
  node.name = o.name;
  node.listen = read_address("--listen", o.listen, true);
  if (!o.advertise.empty() && !is_host(o.advertise))
    throw usage_error{"--advertise '" + printable(o.advertise) +
                      "': expected the name or the address of a host, such as 10.0.0.2"};
  node.advertise = o.advertise;
  if (!o.join.empty())
    node.join = read_address("--join", o.join, false);
  const auto roles = read_roles(o.roles);
  node.roles.master = roles.contains("master");
  node.roles.workload = roles.contains("workload");
  if (node.roles.master == node.join.has_value())
    throw usage_error{
      node.roles.master
        ? "node: --join with the role master; expected none, as the other nodes join this one"
        : "node: --join is missing; expected HOST:PORT, the address of the node with the role "
          "master"};
  if (!o.out.empty() && !node.roles.workload)
    throw usage_error{"node: --out without the role workload; expected both or none"};
  if (node.roles.master) {
    if (o.input.file.empty())
      throw usage_error{"node: --config is missing; expected the settings of the cluster, as the "
                        "node has the role master"};
    node.settings = cluster_settings_of(o.input);
  } else if (!o.input.file.empty() || !o.input.overrides.empty()) {
    throw usage_error{"node: --config or --set without the role master; expected none, as the node "
                      "with that role sends the settings"};
  }
  load_plugins(o.input.plugins); // their messages are known before the actor system starts
  // A node accepts any number of places: the master distributes them.
  const auto places = [&](const char* role, const char* option, std::uint32_t wanted) {
    if (!roles.contains(role) && wanted > 0)
      throw usage_error{std::string{"node: "} + option + " without the role " + role +
                        "; expected both or none"};
    return roles.contains(role) ? (wanted > 0 ? wanted : default_places) : 0;
  };
  node.roles.owners = places("owner", "--owners", o.owners);
  node.roles.schedulers = places("scheduler", "--schedulers", o.schedulers);
  if (!roles.contains("machine") && (o.machines > 0 || o.offer.says_anything()))
    throw usage_error{"node: --machines, --cpu, --memory, --gpu, --slots or --attribute without "
                      "the role machine; expected none"};
  if (o.machines > 0 && o.offer.says_anything())
    throw usage_error{"node: --machines with --cpu, --memory, --gpu, --slots or --attribute; "
                      "expected --machines alone, as the settings describe emulated machines"};
  node.roles.machines = o.machines;
  if (roles.contains("machine") && o.machines == 0) {
    node.roles.machines = 1;
    node.machine = machine_of(o.offer);
  }
  node.roles.api = roles.contains("api");
  if (!node.roles.api && o.page_wanted)
    throw usage_error{"node: --serve or --serve-tls without the role api; expected both or none"};
  if (node.roles.api)
    node.api = page_server(o.page, {"node: ", "--serve", "--serve-tls"}, {o.certs, o.name});
  if (!roles.contains("machine") && (!o.run_as.empty() || o.keep_commands))
    throw usage_error{
      "node: --run-as or --keep-commands without the role machine; expected both or "
      "none"};
  if (roles.contains("machine")) {
    node.commands.user = user_of_commands(o.run_as);
    node.commands.keeps_commands = o.keep_commands;
    node.commands.tied_to = static_cast<pid_t>(o.end_with);
  }
  if (node.settings && node.settings->runs_commands()) {
    if (!node.roles.workload || !node.roles.api)
      throw usage_error{"node: workload.kind = \"jobs\" with --roles " + o.roles +
                        "; expected the roles workload and api, too, as this node keeps the jobs"};
    need_token(*node.api, node_state(o) / "api.token");
  }
  node.expected_nodes = o.expected;
  node.credentials = credentials_of(o.certs, o.name, roles);
  if (!node.credentials && !is_loopback(node.listen.host))
    throw usage_error{"--listen " + o.listen +
                      ": not a loopback address; expected one such as 127.0.0.1:7400, or "
                      "certificates (--certs DIR)"};
  node.state = node_state(o);
  return node;
}

int execute(const node_command_options& options) {
  if (options.end_with != 0)
    end_with_parent(static_cast<pid_t>(options.end_with));
  const auto node = read_options(options);
  watch_signals();
  console_node monitor{options, node};
  run_node(node, monitor);
  return monitor.has_written() ? exit_code::done : exit_code::failed;
}

} // namespace

void add_node_command(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("node", "Run one node of a cluster of many processes");
  command->footer(node_examples);
  auto o = std::make_shared<node_command_options>();
  command->add_option("--name", o->name, "The node's name, unique in the cluster")
    ->required()
    ->type_name("NAME");
  suggest_list(
    command
      ->add_option("--roles", o->roles,
                   "Any of master, owner, scheduler, machine, workload, api, comma-separated")
      ->required()
      ->type_name("ROLES"),
    {role_names.begin(), role_names.end()});
  command->add_option("--listen", o->listen, "Address to listen on; port 0: any free port")
    ->capture_default_str()
    ->type_name("HOST:PORT");
  command
    ->add_option("--advertise", o->advertise,
                 "Host name for other nodes; default: that of --listen")
    ->type_name("HOST");
  command->add_option("--join", o->join, "Address of the node with the role master")
    ->type_name("HOST:PORT");
  command->add_option("--config", o->input.file, "Settings of the cluster (role master)")
    ->type_name("FILE");
  command
    ->add_option("--set", o->input.overrides, "Override one setting (role master); may be repeated")
    ->type_name("KEY=VALUE");
  add_plugin_option(*command, o->input.plugins);
  command
    ->add_option("--machines", o->machines,
                 "Machines to emulate (role machine); default: the host is one")
    ->type_name("N");
  add_host_offer(*command, o->offer);
  command
    ->add_option("--owners", o->owners, "Owners to run at most (role owner); default: no limit")
    ->type_name("N");
  command
    ->add_option("--schedulers", o->schedulers,
                 "Schedulers to run at most (role scheduler); default: no limit")
    ->type_name("N");
  command
    ->add_option("--expect", o->expected,
                 "Wait for N nodes before the cluster begins (role master)")
    ->type_name("N");
  command
    ->add_option("--certs", o->certs,
                 "Directory with ca.crt, NAME.crt, NAME.key; default: loopback only")
    ->type_name("DIR");
  command->add_option("--state", o->state, "State that survives a restart; default: cluster/NAME")
    ->type_name("DIR");
  auto* serve = command
                  ->add_option("--serve", o->page.on,
                               "Where to serve the live page (role api); port 0: any free port")
                  ->capture_default_str()
                  ->type_name("HOST:PORT");
  auto* tls = command->add_flag("--serve-tls", o->page.tls,
                                "Serve it by TLS, to those with the token or a certificate");
  command->add_option("--out", o->out, "Directory for results (role workload)")->type_name("DIR");
  command
    ->add_option("--run-as", o->run_as,
                 "User of commands (role machine); default: nobody as root, else its own")
    ->type_name("USER");
  command->add_flag("--keep-commands", o->keep_commands,
                    "Commands outlive the node, as long as their leases (role machine)");
  command->add_flag("--quiet,-q", o->quiet, "Show no progress");
  command->add_option("--end-with", o->end_with)->group(""); // used by processes of this program
  command->callback([&chosen, o, serve, tls] {
    o->page_wanted = serve->count() + tls->count() > 0;
    chosen = [o] { return execute(*o); };
  });
}

} // namespace troupe
