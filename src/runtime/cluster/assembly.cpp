#include "runtime/cluster/assembly.hpp"

#include "actors/machine/churn.hpp"
#include "actors/queue/join_messages.hpp"
#include "actors/recorder/recorder.hpp"
#include "runtime/cluster/actor_configs.hpp"
#include "runtime/cluster/checked_scheduler.hpp"
#include "runtime/cluster/machine_factory.hpp"
#include "runtime/cluster/make_executor.hpp"
#include "runtime/cluster/member_factory.hpp"
#include "runtime/cluster/places.hpp"
#include "runtime/cluster/probing.hpp"
#include "runtime/cluster/scheduler_plugins.hpp"
#include "runtime/cluster/traced_cluster.hpp"
#include "runtime/network/linker.hpp"
#include "runtime/time/virtual_coordinator.hpp"

#include <caf/actor_system.hpp>
#include <caf/send.hpp>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace troupe {

namespace {

caf::actor_system& system_of(const launching_actor& machine) {
  return *caf::actor_cast<caf::actor_control_block*>(machine)->home_system;
}

/// Returns how owners launch tasks on the machines: over a network where that takes time.
std::vector<launching_actor> linked_to_owners(caf::actor_system& system,
                                              std::vector<launching_actor> machines,
                                              const run_settings& settings,
                                              const assembly_options& options) {
  if (settings.network.machine_latency == duration::zero())
    return machines;
  const auto net = std::make_shared<network>(
    settings.seed, link_settings{settings.network.machine_latency, {}, 0},
    std::vector<network_cut>{}, options.clock.origin, !options.virtual_time);
  for (machine_id m = 0; m < machines.size(); ++m)
    machines[m] = over_network(system, machines[m], net, "owners", numbered("machine", m));
  return machines;
}

/// Returns which cuts name a scheduler, and not just everyone.
std::vector<bool> cuts_of_scheduler(scheduler_id s, const run_settings& settings) {
  const auto name = numbered("scheduler", s);
  const auto names = [&](const std::string& side) { return side != "*" && matches(side, name); };
  std::vector<bool> by;
  for (const auto& cut : settings.network.cuts)
    by.push_back(names(cut.a) || names(cut.b));
  return by;
}

/// Schedulers that probe share their links to machines, unless cuts name them. Returns the links of
/// the others; those with the same cuts share theirs, which have the name of the first one.
template <class Link>
std::map<scheduler_id, queueing_machines>
links_of_cut_schedulers(const std::vector<launching_actor>& machines, const run_settings& settings,
                        const Link& link) {
  std::map<scheduler_id, queueing_machines> links;
  std::map<std::vector<bool>, queueing_machines> made;
  const auto count = settings.pool > 0 ? settings.pool : settings.schedulers;
  for (scheduler_id s = 0; s < count; ++s) {
    const auto cuts = cuts_of_scheduler(s, settings);
    if (!probes(settings, s) || std::ranges::find(cuts, true) == cuts.end())
      continue;
    auto& all = made[cuts];
    if (!all) {
      std::vector<queueing_machine_actor> queues;
      for (machine_id m = 0; m < machines.size(); ++m)
        queues.push_back(caf::actor_cast<queueing_machine_actor>(
          link(machines[m], numbered("scheduler", s), numbered("machine", m), join_orders)));
      all = std::make_shared<const std::vector<queueing_machine_actor>>(std::move(queues));
    }
    links[s] = all;
  }
  return links;
}

/// Spawns the machines and links them with the actors that launch tasks on them. Returns the links
/// of the schedulers that have links of their own.
std::map<scheduler_id, queueing_machines> spawn_machines(caf::actor_system& system, cluster& c,
                                                         machine_factory& factory,
                                                         const run_settings& settings,
                                                         const assembly_options& options) {
  const linker link{system, settings, options.clock, options.virtual_time};
  std::vector<launching_actor> handles;
  handles.reserve(c.machines->machines());
  for (machine_id m = 0; m < c.machines->machines(); ++m) {
    handles.push_back(factory.spawn(m));
    if (factory.with_queues())
      c.neighbours->machines.push_back(caf::actor_cast<queueing_machine_actor>(
        link(handles.back(), "cluster", numbered("machine", m), join_orders)));
  }
  std::map<scheduler_id, queueing_machines> own;
  if (factory.with_queues()) {
    own = links_of_cut_schedulers(handles, settings, link);
    c.queues = std::make_shared<const std::vector<queueing_machine_actor>>(c.neighbours->machines);
  }
  c.machine_actors = std::make_shared<const std::vector<launching_actor>>(
    linked_to_owners(system, std::move(handles), settings, options));
  return own;
}

/// Spawns the next schedulers, `count` of them. Throws `std::runtime_error` if a plugin does not
/// spawn its actor.
void spawn_schedulers(caf::actor_system& system, cluster& c, const member_factory& factory,
                      std::uint32_t count, const run_settings& settings,
                      const assembly_options& options) {
  const linker link{system, settings, options.clock, options.virtual_time};
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto s = static_cast<scheduler_id>(c.schedulers.size());
    c.schedulers.push_back(
      caf::actor_cast<scheduler_actor>(factory.spawn({{role::scheduler, s, 1}})));
    if (!probes(settings, s))
      continue;
    // Those of plugins take requests one by one only.
    const auto joiner = scheduler_plugin_of(settings, s) == nullptr ? join_requests : nullptr;
    auto& known = c.neighbours->schedulers;
    known.resize(c.schedulers.size());
    known.back() = caf::actor_cast<queue_client_actor>(
      link(c.schedulers.back(), "machines", numbered("scheduler", s), joiner));
  }
}

/// Makes the machines and, if a trace changes them, the churn actor.
void make_machines(caf::actor_system& system, cluster& c, const run_settings& settings,
                   const assembly_options& options) {
  auto traced = build_machines(settings);
  c.machines = std::make_shared<const catalog>(std::move(traced.machines));
  if (!traced.changes.empty())
    c.churns.push_back(system.spawn(
      churn, churn_config{std::move(traced.changes),
                          any_places(settings) ? owners_of(settings) : std::vector<owner_id>{},
                          c.machines, options.clock}));
}

} // namespace

cluster assemble(caf::actor_system& system, const run_settings& settings,
                 const assembly_options& options) {
  const auto sources = sources_of(settings); // before any actor lives: it may throw
  cluster c;
  make_machines(system, c, settings, options);
  if (any_probes(settings))
    c.neighbours = std::make_shared<machine_neighbours>();
  machine_parts of_machines{c.machines, make_executor(settings, options.virtual_time),
                            options.clock};
  of_machines.count = c.machines->machines();
  of_machines.neighbours = c.neighbours;
  const auto runs = of_machines.runs;
  machine_factory machines{system, settings, std::move(of_machines)};
  auto own_queues = spawn_machines(system, c, machines, settings, options);
  const member_factory factory{system,
                               settings,
                               {c.machines, options.record, options.clock, false, options.watch},
                               {c.machine_actors, c.queues, std::move(own_queues)}};
  for (owner_id o = 0; o < owner_places(settings); ++o)
    c.owners.push_back(caf::actor_cast<owner_actor>(factory.spawn({{role::owner, o, 1}})));
  if (settings.pool > 0)
    spawn_schedulers(system, c, factory, settings.pool, settings, options);
  for (std::uint32_t g = 0; g < settings.groups.size(); ++g) {
    if (settings.pool == 0)
      spawn_schedulers(system, c, factory, settings.groups[g].schedulers, settings, options);
    c.workloads.push_back(caf::actor_cast<workload_actor>(
      factory.spawn_workload({{role::workload, g, 1}}, sources[g])));
  }
  if (settings.sync.plan == sync_plan_kind::offers)
    c.allocators.push_back(
      caf::actor_cast<allocator_actor>(factory.spawn({{role::allocator, 0, 1}})));
  c.node = machines.spawn_node();
  if (c.neighbours)
    c.neighbours->node = c.node;
  c.master = caf::actor_cast<master_actor>(factory.spawn({{role::master, 0, 1}}));
  auto recording = recorder_config_of(settings, factory.parts());
  recording.schedulers = c.schedulers;
  recording.owners = c.owners;
  recording.nodes = {c.node};
  recording.workloads = c.workloads;
  recording.allocators = c.allocators;
  if (recording.records)
    recording.records_of_plugin = [schedulers = c.schedulers, clock = options.clock,
                                   &system](std::uint32_t s, const auto& status, bool last) {
      const auto listener = listener_of(caf::actor_cast<caf::strong_actor_ptr>(schedulers[s]));
      if (!listener)
        return record_batch{};
      listener->say(status.samples, system.clock().now() - clock.origin);
      return listener->take(last);
    };
  if (any_probes(settings))
    recording.starts = [runs] { return runs->starts_by_group(); };
  c.recorder = system.spawn(recorder, std::move(recording));
  return c;
}

void start(caf::actor_system& system, const cluster& c, const run_settings& settings,
           const assembly_options& options) {
  const linker link{system, settings, options.clock, options.virtual_time};
  const auto join = [&](role what, std::size_t number, const auto& handle) {
    caf::anon_send(c.master, join_atom_v, member{what, static_cast<std::uint32_t>(number)},
                   caf::actor_cast<caf::strong_actor_ptr>(handle));
  };
  const auto probing = [&](std::size_t s) {
    return probes(settings, static_cast<scheduler_id>(s));
  };
  peers for_master;
  peers for_node;
  for (std::size_t o = 0; o < c.owners.size(); ++o) {
    const auto name = numbered("owner", o);
    for_master.owners.push_back(link(c.owners[o], "master", name));
    for_node.owners.push_back(caf::actor_cast<caf::strong_actor_ptr>(c.owners[o]));
    peers for_owner;
    for (std::size_t s = 0; s < c.schedulers.size(); ++s)
      for_owner.schedulers.push_back(
        probing(s) ? nullptr : link(c.schedulers[s], name, numbered("scheduler", s)));
    for (const auto& a : c.allocators)
      for_owner.allocators.push_back(link(a, name, "allocator"));
    caf::anon_send(c.owners[o], std::move(for_owner));
    join(role::owner, o, c.owners[o]);
  }
  if (c.queues)
    for (std::size_t s = 0; s < c.schedulers.size(); ++s)
      for_node.schedulers.push_back(
        probing(s) ? link(c.schedulers[s], "node", numbered("scheduler", s)) : nullptr);
  caf::anon_send(c.node, std::move(for_node));
  join(role::node, 0, c.node);
  for (std::size_t s = 0; s < c.schedulers.size(); ++s) {
    peers for_scheduler;
    for (std::size_t o = 0; o < c.owners.size() && !probing(s); ++o)
      for_scheduler.owners.push_back(
        link(c.owners[o], numbered("scheduler", s), numbered("owner", o)));
    for (const auto& a : c.allocators)
      for_scheduler.allocators.push_back(link(a, numbered("scheduler", s), "allocator"));
    caf::anon_send(c.schedulers[s], std::move(for_scheduler));
    join(role::scheduler, s, c.schedulers[s]);
  }
  for (const auto& churning : c.churns) {
    peers for_churn;
    for (const auto& o : c.owners)
      for_churn.owners.push_back(caf::actor_cast<caf::strong_actor_ptr>(o));
    for (std::size_t m = 0; m < c.machine_actors->size() && c.owners.empty(); ++m)
      for_churn.machines.push_back(caf::actor_cast<caf::strong_actor_ptr>((*c.machine_actors)[m]));
    caf::anon_send(churning, std::move(for_churn));
  }
  for (std::uint32_t g = 0; g < c.workloads.size(); ++g) {
    peers for_workload;
    const auto first = first_scheduler(settings, g);
    for (auto s = first; s < first + schedulers_of(settings, g); ++s)
      for_workload.schedulers.push_back(caf::actor_cast<caf::strong_actor_ptr>(c.schedulers[s]));
    caf::anon_send(c.workloads[g], std::move(for_workload));
    join(role::workload, g, c.workloads[g]);
  }
  for (const auto& a : c.allocators) {
    peers for_allocator;
    for (std::size_t o = 0; o < c.owners.size(); ++o)
      for_allocator.owners.push_back(link(c.owners[o], "allocator", numbered("owner", o)));
    for (std::size_t s = 0; s < c.schedulers.size(); ++s)
      for_allocator.schedulers.push_back(
        link(c.schedulers[s], "allocator", numbered("scheduler", s)));
    caf::anon_send(a, std::move(for_allocator));
    join(role::allocator, 0, a);
  }
  caf::anon_send(c.master, std::move(for_master));
}

void stop(const cluster& c) {
  const auto quit = [](const auto& handle) {
    caf::anon_send_exit(handle, caf::exit_reason::user_shutdown);
  };
  quit(c.recorder);
  quit(c.master);
  quit(c.node);
  for (const auto& a : c.allocators)
    quit(a);
  for (const auto& churning : c.churns)
    quit(churning);
  for (const auto& w : c.workloads)
    quit(w);
  for (const auto& s : c.schedulers)
    quit(s);
  for (const auto& o : c.owners)
    quit(o);
  // Virtual time ends the remaining actors when it stops, without a message to each.
  const auto& machines = *c.machine_actors;
  if (!machines.empty() && !virtual_coordinator::drives(system_of(machines.front())))
    for (const auto& m : machines)
      quit(m);
}

} // namespace troupe
