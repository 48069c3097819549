#include "runtime/wiring.hpp"

#include "actors/allocator.hpp"
#include "actors/churn.hpp"
#include "actors/machine/machine.hpp"
#include "actors/master.hpp"
#include "actors/node.hpp"
#include "actors/owner.hpp"
#include "actors/recorder.hpp"
#include "actors/workload.hpp"
#include "runtime/build_catalog.hpp"
#include "runtime/guarded_scheduler.hpp"
#include "runtime/linker.hpp"
#include "runtime/make_executor.hpp"
#include "runtime/traced_cluster.hpp"
#include "runtime/wire_config.hpp"
#include "runtime/wire_members.hpp"
#include "runtime/wire_schedulers.hpp"
#include "settings/fields.hpp"

#include <caf/actor_system.hpp>
#include <caf/send.hpp>

#include <stdexcept>

namespace troupe {

namespace {

void spawn_machines(caf::actor_system& system, cluster& c, const run_settings& settings,
                    const wiring_options& options, const std::shared_ptr<node_executor>& runs) {
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
  const std::shared_ptr<const machine_session_config> nothing_fails;
  auto handles = std::make_shared<std::vector<launching_actor>>();
  handles->reserve(c.machines->machines());
  for (machine_id m = 0; m < c.machines->machines(); ++m) {
    launching_actor handle =
      c.queues.plain ? launching_actor{(*c.queues.plain)[m]}
                     : launching_actor{system.spawn(machine, m, c.machines->machine(m).capacity,
                                                    std::shared_ptr<const machine_config>{shared},
                                                    nothing_fails)};
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

void spawn_allocator(caf::actor_system& system, cluster& c, const run_settings& settings,
                     const wiring_options& options) {
  if (settings.sync.plan != "offers")
    return;
  auto config = allocator_config_of(settings, c.machines, options.clock);
  c.allocators.push_back(system.spawn(allocator, std::move(config)));
}

void spawn_workload(caf::actor_system& system, cluster& c, const group_settings& group,
                    const run_settings& settings, const wiring_options& options,
                    std::uint32_t number, std::shared_ptr<job_source> source) {
  auto config = workload_config_of(settings, group, number, std::move(source), options.clock);
  c.workloads.push_back(system.spawn(workload, std::move(config)));
}

/// Schedulers that probe know nothing of tasks that wait for others.
void refuse_dags_that_probe(const run_settings& settings,
                            const std::vector<std::shared_ptr<job_source>>& sources) {
  if (!any_probes(settings))
    return;
  for (std::size_t g = 0; g < sources.size(); ++g)
    if (sources[g]->has_dependencies())
      throw std::runtime_error{"[workload] file = \"" + settings.groups[g].workload.file +
                               "\": its tasks wait for others of their job, which schedulers of " +
                               settings.architecture + " that probe machines cannot heed"};
}

/// Makes the machines, and where they come from a trace that changes them, what does so.
void make_machines(caf::actor_system& system, cluster& c, const run_settings& settings,
                   const wiring_options& options) {
  if (settings.cluster.trace.file.empty()) {
    c.machines = std::make_shared<const catalog>(
      build_catalog(settings.cluster, settings.seed, settings.task_classes));
    return;
  }
  auto traced = build_traced_cluster(read_machines(settings.cluster.trace), settings.cluster,
                                     settings.seed, settings.task_classes);
  c.machines = std::make_shared<const catalog>(std::move(traced.machines));
  if (!traced.changes.empty())
    c.churns.push_back(
      system.spawn(churn, churn_config{std::move(traced.changes), owners_of(settings), c.machines,
                                       options.clock}));
}

} // namespace

cluster wire(caf::actor_system& system, const run_settings& settings,
             const wiring_options& options) {
  const auto sources = sources_of(settings); // before any actor lives: it may throw
  refuse_dags_that_probe(settings, sources);
  cluster c;
  make_machines(system, c, settings, options);
  const auto runs = make_executor(settings, options.virtual_time);
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
  recorder_config recording{settings.interval,
                            c.schedulers,
                            c.owners,
                            {c.node},
                            c.workloads,
                            c.allocators,
                            static_cast<std::uint32_t>(settings.groups.size()),
                            settings.tenants.size() > 1 ? total_capacity(*c.machines)
                                                        : resource_sum{},
                            options.record,
                            options.clock};
  if (any_probes(settings))
    recording.starts = [runs] { return runs->starts_by_group(); };
  c.recorder = system.spawn(recorder, std::move(recording));
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
    for (std::size_t o = 0; o < c.owners.size() && !probing(s); ++o) {
      auto handle = link(c.owners[o], numbered("scheduler", s), numbered("owner", o));
      if (c.guards[s])
        handle = guard_owner(system, std::move(handle), static_cast<owner_id>(o), c.guards[s]);
      for_scheduler.owners.push_back(std::move(handle));
    }
    for (const auto& a : c.allocators)
      for_scheduler.allocators.push_back(link(a, numbered("scheduler", s), "allocator"));
    caf::anon_send(c.schedulers[s], std::move(for_scheduler));
    join(role::scheduler, s, c.schedulers[s]);
  }
  for (const auto& churning : c.churns) {
    peers for_churn;
    for (const auto& o : c.owners)
      for_churn.owners.push_back(caf::actor_cast<caf::strong_actor_ptr>(o));
    caf::anon_send(churning, std::move(for_churn));
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
  for (const auto& churning : c.churns)
    quit(churning);
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
