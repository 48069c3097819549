#include "runtime/wiring.hpp"

#include "actors/allocator.hpp"
#include "actors/machine.hpp"
#include "actors/master.hpp"
#include "actors/node.hpp"
#include "actors/owner.hpp"
#include "actors/recorder.hpp"
#include "actors/scheduler.hpp"
#include "actors/workload.hpp"
#include "runtime/build_catalog.hpp"
#include "runtime/linker.hpp"
#include "runtime/wire_config.hpp"
#include "runtime/wire_members.hpp"
#include "settings/fields.hpp"

#include <caf/actor_system.hpp>
#include <caf/send.hpp>

namespace troupe {

namespace {

void spawn_machines(caf::actor_system& system, cluster& c, const run_settings& settings,
                    const wiring_options& options, const std::shared_ptr<emulated_executor>& runs) {
  if (any_probes(settings))
    c.queues =
      spawn_queueing_machines(system, *c.machines, settings, options.clock, runs,
                              linker{system, settings, options.clock, options.virtual_time});
  const auto shared = std::make_shared<machine_config>(machine_config{runs, options.clock});
  std::shared_ptr<network> net;
  if (settings.network.machine_latency > duration::zero())
    net = std::make_shared<network>(
      settings.seed, link_settings{settings.network.machine_latency, {}, 0},
      std::vector<network_cut>{}, options.clock.origin, !options.virtual_time);
  auto handles = std::make_shared<std::vector<machine_actor>>();
  handles->reserve(c.machines->machines());
  for (machine_id m = 0; m < c.machines->machines(); ++m) {
    machine_actor handle = c.queues.plain
                             ? machine_actor{(*c.queues.plain)[m]}
                             : system.spawn(machine, m, c.machines->machine(m).capacity,
                                            std::shared_ptr<const machine_config>{shared});
    if (net)
      handle = over_network(system, handle, net, "owners", numbered("machine", m));
    handles->push_back(std::move(handle));
  }
  c.machine_actors = std::move(handles);
}

void spawn_owners(caf::actor_system& system, cluster& c, const run_settings& settings,
                  const wiring_options& options) {
  if (!any_places(settings))
    return;
  for (owner_id o = 0; o < settings.cluster.owners; ++o) {
    auto config = owner_config_of(settings, o, c.machines, options.clock);
    config.handles = c.machine_actors;
    c.owners.push_back(system.spawn(owner, std::move(config)));
  }
}

void spawn_sparrow(caf::actor_system& system, cluster& c, const scheduler_settings& alike,
                   std::uint32_t group, const run_settings& settings,
                   const wiring_options& options) {
  auto config = sparrow_config(alike, settings);
  config.id = static_cast<scheduler_id>(c.schedulers.size());
  config.group = group;
  config.machines = c.machines;
  config.handles = c.queues.linked;
  config.random = random_stream::derive(settings.seed, "scheduler", config.id);
  config.clock = options.clock;
  const auto handle = system.spawn(sparrow_scheduler, std::move(config));
  const linker link{system, settings, options.clock, options.virtual_time};
  c.queues.neighbours->schedulers.resize(c.schedulers.size() + 1);
  c.queues.neighbours->schedulers.back() = caf::actor_cast<sparrow_scheduler_actor>(
    link(handle, "machines", numbered("scheduler", c.schedulers.size())));
  c.schedulers.push_back(handle);
}

/// Spawns schedulers that are alike: those of one group, or the pool, which counts what belongs to
/// no group of jobs for the first one.
void spawn_schedulers(caf::actor_system& system, cluster& c, const group_settings& alike,
                      std::uint32_t group, const run_settings& settings,
                      const wiring_options& options) {
  for (std::uint32_t i = 0; i < alike.schedulers; ++i) {
    const auto id = static_cast<scheduler_id>(c.schedulers.size());
    if (probes(alike.scheduler, settings, i)) {
      spawn_sparrow(system, c, alike.scheduler, group, settings, options);
      continue;
    }
    auto config = scheduler_config_of(settings, alike, group, id, c.machines, options.clock);
    c.schedulers.push_back(system.spawn(scheduler, std::move(config)));
  }
}

void spawn_allocator(caf::actor_system& system, cluster& c, const run_settings& settings,
                     const wiring_options& options) {
  if (settings.sync.plan != "offers")
    return;
  const auto& offers = settings.offers;
  allocator_config config;
  config.machines = c.machines;
  config.weights.assign(settings.pool, 1);
  config.group_of.assign(settings.pool, 0);
  if (settings.pool == 0)
    for (std::uint32_t g = 0; g < settings.groups.size(); ++g) {
      const auto& group = settings.groups[g];
      config.weights.insert(config.weights.end(), group.schedulers, group.offers.weight);
      config.group_of.insert(config.group_of.end(), group.schedulers, g);
    }
  config.rules = {offers.filter, offers.timeout, offers.whole};
  config.interval = offers.interval;
  config.clock = options.clock;
  c.allocators.push_back(system.spawn(allocator, std::move(config)));
}

void spawn_workload(caf::actor_system& system, cluster& c, const group_settings& group,
                    const run_settings& settings, const wiring_options& options,
                    std::uint32_t number, std::shared_ptr<job_source> source) {
  auto config = workload_config_of(settings, group, number, std::move(source), options.clock);
  c.workloads.push_back(system.spawn(workload, std::move(config)));
}

} // namespace

cluster wire(caf::actor_system& system, const run_settings& settings,
             const wiring_options& options) {
  const auto sources = sources_of(settings); // before any actor lives: it may throw
  cluster c;
  c.machines = std::make_shared<const catalog>(
    build_catalog(settings.cluster, settings.seed, settings.task_classes));
  const auto runs = std::make_shared<emulated_executor>(settings.executor.tick);
  spawn_machines(system, c, settings, options, runs);
  spawn_owners(system, c, settings, options);
  if (settings.pool > 0) {
    auto pool = default_group(settings);
    pool.schedulers = settings.pool;
    spawn_schedulers(system, c, pool, 0, settings, options);
  }
  for (std::uint32_t g = 0; g < settings.groups.size(); ++g) {
    if (settings.pool == 0)
      spawn_schedulers(system, c, settings.groups[g], g, settings, options);
    spawn_workload(system, c, settings.groups[g], settings, options, g, sources[g]);
  }
  spawn_allocator(system, c, settings, options);
  c.node = system.spawn(node, node_config{runs, options.clock, c.queues.plain, c.queues.meter,
                                          settings.owner.report_interval});
  runs->attach(c.node);
  c.master = system.spawn(
    master,
    master_config{plan_of(settings),
                  c.owners.empty() ? std::vector<owner_id>{} : owners_of(settings), options.clock});
  c.recorder =
    system.spawn(recorder, recorder_config{settings.interval,
                                           c.schedulers,
                                           c.owners,
                                           {c.node},
                                           c.workloads,
                                           c.allocators,
                                           static_cast<std::uint32_t>(settings.groups.size()),
                                           settings.tenants.size() > 1 ? total_capacity(*c.machines)
                                                                       : resource_sum{},
                                           options.record,
                                           options.clock});
  return c;
}

void start(caf::actor_system& system, const cluster& c, const run_settings& settings,
           const wiring_options& options) {
  const linker link{system, settings, options.clock, options.virtual_time};
  const auto join = [&](role what, std::size_t number, const auto& handle) {
    caf::anon_send(c.master, join_atom_v, member{what, static_cast<std::uint32_t>(number)},
                   caf::actor_cast<caf::strong_actor_ptr>(handle));
  };
  const auto probing = [&](std::size_t s) {
    const auto* those = c.queues.neighbours ? &c.queues.neighbours->schedulers : nullptr;
    return those != nullptr && s < those->size() && (*those)[s];
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
  if (c.queues.plain)
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
  std::size_t first = 0;
  for (std::size_t g = 0; g < c.workloads.size(); ++g) {
    peers for_workload;
    const auto n = settings.pool > 0 ? settings.pool : settings.groups[g].schedulers;
    for (std::size_t s = first; s < first + n; ++s)
      for_workload.schedulers.push_back(caf::actor_cast<caf::strong_actor_ptr>(c.schedulers[s]));
    first += settings.pool > 0 ? 0 : n;
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
  for (const auto& w : c.workloads)
    quit(w);
  for (const auto& s : c.schedulers)
    quit(s);
  for (const auto& o : c.owners)
    quit(o);
  for (const auto& m : *c.machine_actors)
    quit(m);
}

} // namespace troupe
