#include "cluster/console_node.hpp"
#include "cluster/host_offer.hpp"
#include "cluster/node_options.hpp"
#include "cluster/page_place.hpp"
#include "cluster/parent.hpp"
#include "cluster/run_as.hpp"
#include "commands/commands.hpp"
#include "nodes/agent/run_node.hpp"
#include "nodes/registry/identity_text.hpp"
#include "report/text/printable.hpp"
#include "security/authority.hpp"
#include "security/certified_identity.hpp"
#include "security/error.hpp"
#include "support/inputs.hpp"
#include "support/option_hints.hpp"
#include "support/signals.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
#include <memory>
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
  for (const auto& at : split_at_commas(o.join))
    node.join.push_back(read_address("--join", at, false));
  const auto roles = read_roles(o.roles);
  node.roles.master = roles.contains("master");
  node.roles.workload = roles.contains("workload");
  if (node.roles.master == !node.join.empty())
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
  if (o.advertise.empty() && is_unspecified(node.listen.host))
    throw usage_error{"--listen " + o.listen +
                      " without --advertise; expected the address of this host at which the other "
                      "nodes reach it"};
  node.state = node_state(o);
  return node;
}

int execute(const node_command_options& options) {
  if (options.end_with != 0)
    end_with_parent(static_cast<pid_t>(options.end_with));
  const auto node = read_options(options);
  watch_signals();
  console_node monitor{{options.out, options.quiet}, node};
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
  command
    ->add_option("--join", o->join, "Address of the node with the role master, or of several: A,B")
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
