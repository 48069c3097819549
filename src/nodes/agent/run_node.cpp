#include "nodes/agent/run_node.hpp"

#include "jobs/http/job_routes.hpp"
#include "model/base/log.hpp"
#include "nodes/agent/node_agent.hpp"
#include "nodes/agent/node_system.hpp"
#include "nodes/agent/node_waits.hpp"
#include "nodes/agent/node_work.hpp"
#include "nodes/agent/places_file.hpp"
#include "nodes/agent/standby_keeper.hpp"
#include "nodes/agent/state_lock.hpp"
#include "nodes/api/node_page.hpp"
#include "nodes/api/policy_routes.hpp"
#include "nodes/clocks/utc_clock.hpp"
#include "nodes/connections/asio.hpp"
#include "nodes/connections/node_network.hpp"
#include "nodes/connections/peer_check.hpp"
#include "nodes/execution/job_desk.hpp"
#include "nodes/execution/node_commands.hpp"
#include "nodes/execution/options_of_service.hpp"
#include "nodes/registry/identity_text.hpp"
#include "nodes/registry/refusal_log.hpp"
#include "runtime/cluster/build_catalog.hpp"
#include "runtime/cluster/places.hpp"
#include "runtime/cluster/probing.hpp"
#include "runtime/cluster/traced_cluster.hpp"
#include "security/error.hpp"
#include "settings/toml/print.hpp"

#include <caf/all.hpp>
#include <caf/io/all.hpp>

#include <atomic>
#include <random>
#include <stdexcept>
#include <thread>
#include <unistd.h>

namespace troupe {

namespace {

constexpr auto pause = std::chrono::milliseconds{20};

/// The pause before this node asks for the lease again, after the database gave it the lease and
/// refused its session.
constexpr auto pause_after_refusal = std::chrono::seconds{1};

std::uint64_t new_boot() {
  std::random_device random;
  return (std::uint64_t{random()} << 32) | random();
}

node_identity identity_of(const node_options& options) {
  node_identity who;
  who.name = options.name;
  who.host = options.advertise.empty() ? options.listen.host : options.advertise;
  who.boot = new_boot();
  who.pid = getpid();
  who.roles = options.roles;
  who.machine = options.machine;
  return who;
}

void check_credentials(const node_options& options) {
  const auto own = check_tls_files(*options.credentials, std::chrono::system_clock::now());
  if (const auto why = why_not_certified(options.name, names_of(options.roles), own.certified);
      !why.empty())
    throw security_error{options.credentials->certificate.string() + ": " + why};
  for (const auto& w : own.warnings)
    log::warn("node {}: {}", options.name, w);
}

/// Makes the master's gateway take machines in at any time.
void let_grow(gateway_config& g, const run_settings& settings) {
  const auto places = build_machines(settings).machines;
  for (machine_id m = 0; m < places.machines(); ++m)
    g.partition_of.push_back(places.place_of(m).partition);
  g.greatest_machine = greatest_host();
  g.place_rest = std::chrono::ceil<std::chrono::milliseconds>(settings.failures.place_rest());
}

/// Returns the port.
std::uint16_t listen(node_network& network, const caf::actor& way, const host_port& at) try {
  return network.publish(way, at.host, at.port);
} catch (const boost::system::system_error& e) {
  throw std::runtime_error("cannot listen on " + address_text(at) + ": " + e.code().message());
}

std::unique_ptr<node_page> serve_page(caf::actor_system& system, const caf::actor& way,
                                      const node_options& options, job_desk* desk,
                                      const node_agent& members) try {
  const auto add_routes = [&](route_table& routes) {
    mount_policies(routes, system, way, !options.api->token.empty());
    if (desk != nullptr)
      desk->mount(
        routes, system, way, [&members] { return members.machines(); },
        !any_probes(*options.settings));
    else
      mount_without_jobs(routes, [] {
        return error_response(501, "jobs are accepted by the node with the workload of a cluster "
                                   "whose workload.kind is \"jobs\"");
      });
  };
  return std::make_unique<node_page>(system, way, *options.api, options.name, add_routes);
} catch (const std::exception& e) {
  throw std::runtime_error(std::string{"the live page: "} + e.what());
}

/// Moves all members to other nodes and waits until that is done and all tasks are over, unless no
/// other node could take over or their commands go on, and says goodbye.
void leave(caf::actor_system& system, const caf::actor& way, node_agent& incarnations,
           const node_options& options, const std::atomic<bool>& alone) {
  caf::scoped_actor self{system};
  const auto say_goodbye = [&] {
    self->request(way, std::chrono::seconds{1}, bye_atom_v, leave_atom_v)
      .receive([](caf::ok_atom) {}, [](const caf::error&) {});
  };
  if (options.join.empty())
    return say_goodbye();
  caf::anon_send(way, leave_atom_v);
  const auto until = std::chrono::steady_clock::now() + options.patience;
  while (!incarnations.is_empty(options.commands.keeps_commands) && !alone &&
         std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(pause);
  self->request(way, std::chrono::seconds{2}, leave_atom_v, options.name)
    .receive([](caf::ok_atom) {}, [](const caf::error&) {});
  say_goodbye();
}

/// `lease`: of the jobs, if a database keeps them. Throws `stepped_back` when it is lost.
void run_once(const node_options& options, node_monitor& monitor,
              const std::shared_ptr<keeper_lease>& lease);

} // namespace

void node_monitor::find_story(const story_request&, std::function<void(story_reply)> tell) {
  tell({501, R"({"error":"this node keeps no records"})"});
}

bool is_loopback(const std::string& host) {
  asio_error error;
  const auto at = asio::ip::make_address(host, error);
  return error ? host == "localhost" : at.is_loopback();
}

bool is_unspecified(const std::string& host) {
  asio_error error;
  return asio::ip::make_address(host, error).is_unspecified() && !error;
}

void run_node(const node_options& options, node_monitor& monitor) {
  if (!options.credentials && !is_loopback(options.listen.host))
    throw std::runtime_error("without certificates a node listens on loopback only, such as "
                             "127.0.0.1:7400, and not on " +
                             options.listen.host);
  std::filesystem::create_directories(options.state);
  if (options.credentials)
    check_credentials(options);
  const state_lock lock{options.state, monitor};
  if (!lock.held())
    return;
  if (!stands_by(options))
    return run_once(options, monitor, nullptr);
  while (const auto lease = wait_for_lease(options, monitor))
    try {
      log::info("node {}: this is the keeper of the jobs, in term {}", options.name,
                lease->keeper().term);
      return run_once(options, monitor, lease);
    } catch (const stepped_back& e) {
      log::warn("node {}: it steps back: {}", options.name, e.what());
    }
}

namespace {

/// Throws `stepped_back` if the database gave the lease, but does not answer now.
std::unique_ptr<job_desk> open_desk(const std::filesystem::path& state,
                                    const std::shared_ptr<keeper_lease>& lease,
                                    const run_settings& settings,
                                    std::function<void(const std::string&)> fail) {
  auto options = options_of_service(settings);
  options.on_broken = std::move(fail);
  if (!lease)
    return std::make_unique<job_desk>(state, lease, std::move(options));
  const auto step_back = [](const store_broken& e) -> stepped_back {
    std::this_thread::sleep_for(pause_after_refusal);
    return stepped_back{e.what()};
  };
  try {
    return std::make_unique<job_desk>(state, lease, std::move(options));
  } catch (const store_away& e) {
    throw step_back(e);
  } catch (const store_lost& e) {
    throw step_back(e);
  }
}

void run_once(const node_options& options, node_monitor& monitor,
              const std::shared_ptr<keeper_lease>& lease) {
  caf::actor_system_config config;
  configure_node_system(config, options.heartbeat, options.timeout);
  io_thread thread;
  caf::actor_system system{config};
  node_network network{system,
                       thread,
                       {.name = options.name,
                        .roles = names_of(options.roles),
                        .files = options.credentials,
                        .log_name = options.name}};
  auto who = identity_of(options);
  if (const auto known = read_identity(system, read_places(options.state))) {
    if (who.roles.machines > 0) {
      who.machines = known->machines;
      who.machines_origin = known->origin;
    }
    if (options.settings && options.settings->runs_commands()) {
      who.origin = known->origin;
      who.described = known->described;
      who.policies = known->policies;
      who.known = known->known;
    }
  }
  who.term = lease ? static_cast<incarnation_id>(lease->keeper().term) : 0;
  const auto mail = std::make_shared<message_router>(system);
  node_agent incarnations{system, mail, who, options.state};
  incarnations.term = who.term;
  node_commands commands{system, options};
  incarnations.make_command_executor = [&](std::function<instant()> now) {
    return commands.make_executor(std::move(now));
  };
  failure_note failure;
  node_waits waits{monitor};
  std::unique_ptr<job_desk> desk;
  if (options.settings && options.settings->runs_commands() && options.roles.workload) {
    desk = open_desk(options.state, lease, *options.settings, [&](const std::string& why) {
      if (!lease || lease->is_held()) // else this node steps back
        failure.set("the job store: " + why);
    });
    incarnations.jobs_of_clients = desk->source();
  }
  gateway_config g;
  g.who = who;
  g.join = options.join;
  if (options.settings) {
    g.settings = to_toml(*options.settings);
    g.machines = options.settings->cluster.machines;
    g.has_owners = owner_places(*options.settings) > 0;
    g.master = lease ? who.term : coming_incarnation(options.state / master_incarnation_file);
    if (options.settings->runs_commands())
      let_grow(g, *options.settings);
  }
  g.expected_nodes = options.expected_nodes;
  g.mail = mail;
  g.ways = network.ways();
  g.peer_of = [context = network.context()](const caf::actor& from) {
    return node_network::peer_of(*context, from);
  };
  g.welcome = [&](const node_welcome& as) { incarnations.welcome(as); };
  g.learn = [&](const node_list& nodes) { incarnations.learn(nodes); };
  g.report = [&] { return incarnations.report(); };
  std::atomic<bool> alone{false};
  g.alone = [&] { alone = true; };
  g.fail = [&](const std::string& why) { failure.set(why); };
  g.hand_over = [&](const member& m) { incarnations.hand_over(m); };
  g.describe = [&](const node_list& nodes) { return incarnations.describe(nodes); };
  g.plan_policies = [&](const policy_request& asked, instant after) {
    return incarnations.plan_policies(asked, after);
  };
  g.live = [&](const live_request& asked) { return incarnations.live(asked); };
  g.story = [&](const story_request& asked, std::function<void(story_reply)> tell) {
    monitor.find_story(asked, std::move(tell));
  };
  g.waits = [&](const std::string& what) { waits.set(what); };
  g.time = [&] { return incarnations.time_of_day(); };
  g.output = [&](const output_request& asked) { return commands.read(asked); };
  if (desk) {
    g.work = [&](const work_report& report,
                 const std::function<void(std::optional<work_answer>)>& tell) {
      desk->hear(report, tell);
    };
    g.kept_policies = desk->kept_policies();
    g.keep_policies = [&](const std::vector<policy_order>& orders, std::int64_t origin,
                          std::function<void(bool)> tell) {
      desk->keep(orders, origin, std::move(tell));
    };
  }
  const auto way = system.spawn(gateway, std::move(g));
  commands.set_way(way);
  way->attach_functor([&failure](const caf::error& why) {
    if (why && why != caf::exit_reason::user_shutdown)
      failure.set("the node's gateway has ended; the log says why");
  });
  incarnations.on_change = [way] { caf::anon_send(way, caf::update_atom_v); };
  std::unique_ptr<node_page> page;
  const auto end_gateway = [&] {
    commands.end();
    if (page)
      page->stop();
    caf::anon_send_exit(way, caf::exit_reason::user_shutdown);
    caf::scoped_actor self{system};
    self->wait_for(way);
    page.reset();
  };
  try {
    if (options.api)
      page = serve_page(system, way, options, desk.get(), incarnations);
    const auto port = listen(network, way, options.listen);
    monitor.listens({options.listen.host, port});
    if (page)
      monitor.serves(page->url());
    caf::anon_send(way, start_atom_v, port);
    node_work work{incarnations, monitor};
    lease_watch watch{lease};
    while (!monitor.stop_requested()) {
      std::this_thread::sleep_for(pause);
      watch.look();
      failure.check();
      incarnations.follow_trace();
      incarnations.follow_keeper();
      incarnations.start_allocator();
      if (incarnations.can_move())
        caf::anon_send(way, move_atom_v, options.name);
      work.look();
      if (desk)
        desk->note_machines([&] { return incarnations.hosts(); });
      waits.look(incarnations.workload_waits());
      sum_up_refusals(options.name);
    }
    work.end(true);
    leave(system, way, incarnations, options, alone);
  } catch (...) {
    end_gateway();
    throw;
  }
  end_gateway();
  sum_up_all_refusals(options.name);
}

} // namespace

} // namespace troupe
