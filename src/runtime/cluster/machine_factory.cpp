#include "runtime/cluster/machine_factory.hpp"

#include "actors/machine/node.hpp"
#include "runtime/cluster/actor_configs.hpp"
#include "runtime/cluster/probing.hpp"
#include "runtime/time/virtual_coordinator.hpp"

#include <caf/actor_system.hpp>

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

/// How long a machine may go on after it was answered last.
duration machine_lease(const run_settings& settings) {
  return settings.failures.machine_timeout * 9 / 10;
}

queueing_machine_config queues_of(const run_settings& settings, const machine_parts& parts,
                                  const std::shared_ptr<queue_meter>& meter) {
  queueing_machine_config config;
  config.queue = {parts.runs, settings.sparrow.queue, {}, meter, parts.machines->shared_windows()};
  for (const auto& t : settings.tenants)
    config.queue.weights.push_back(t.weight);
  config.seed = settings.seed;
  config.clock = parts.clock;
  const auto& machines = *parts.machines;
  config.neighbours = parts.neighbours;
  config.machines = static_cast<machine_id>(machines.machines());
  config.unit = machines.unit();
  config.steal_attempts = any_places(settings) ? settings.hybrid.steal_attempts : 0;
  const auto open = machines.partitions() - reserved_partitions(settings);
  for (partition_id p = 0; p < open; ++p)
    config.steal_below += static_cast<machine_id>(machines.members(p).size());
  return config;
}

} // namespace

machine_factory::machine_factory(caf::actor_system& system, const run_settings& settings,
                                 machine_parts parts)
  : system_(system),
    settings_(settings),
    how_(virtual_coordinator::drives(system) ? handling::queued : handling::at_once),
    parts_(std::move(parts)),
    owner_of_(owners_of(settings)),
    plain_(std::make_shared<const machine_config>(machine_config{parts_.runs, parts_.clock})) {
  if (parts_.watched)
    hosts_ = std::make_shared<std::vector<task_host_actor>>(parts_.machines->machines());
  if (!any_probes(settings))
    return;
  meter_ = std::make_shared<queue_meter>(*parts_.machines,
                                         static_cast<std::uint32_t>(settings.tenants.size()),
                                         parts_.first, parts_.count, parts_.since);
  queues_ = std::make_shared<const queueing_machine_config>(queues_of(settings, parts_, meter_));
  if (!hosts_)
    queueing_ = std::make_shared<std::vector<queueing_machine_actor>>(parts_.machines->machines());
}

launching_actor machine_factory::spawn(machine_id m) {
  const auto& capacity = parts_.machines->machine(m).capacity;
  if (!queues_)
    return spawn_machine(system_, how_, m, capacity, plain_);
  auto handle = spawn_queueing_machine(system_, how_, m, capacity, queues_);
  (*queueing_)[m] = handle;
  return handle;
}

caf::strong_actor_ptr machine_factory::spawn(machine_id m, const machine_start& start) {
  auto& host = (*hosts_)[m];
  host = queues_ ? spawn_queueing(m, start) : spawn_plain(m, start);
  return caf::actor_cast<caf::strong_actor_ptr>(host);
}

machine_session_config machine_factory::session_with_owner(machine_id m,
                                                           const machine_start& start) const {
  machine_session_config session;
  session.rules = {start.incarnation,
                   machine_lease(settings_),
                   {},
                   parts_.schedules.begin,
                   parts_.machines->hours_of(m)};
  session.owner = owner_of_[parts_.machines->place_of(m).partition];
  session.heartbeat = settings_.failures.heartbeat;
  session.paced = start.paced;
  session.board = start.board;
  session.reach = start.reach;
  if (!parts_.schedules.of.empty())
    session.rules.capacities = parts_.schedules.of[m];
  return session;
}

task_host_actor machine_factory::spawn_plain(machine_id m, const machine_start& start) {
  const auto session = session_with_owner(m, start);
  return spawn_machine(system_, how_, m, parts_.machines->machine(m).capacity, plain_, &session);
}

task_host_actor machine_factory::spawn_queueing(machine_id m, const machine_start& start) {
  queue_session_config session;
  session.heartbeat = settings_.failures.heartbeat;
  session.rules = {start.incarnation, machine_lease(settings_), settings_.schedulers,
                   2 * session.heartbeat};
  session.rules.pulsed = start.paced;
  session.board = start.board;
  session.to_empty = start.to_empty;
  session.reach = start.reach;
  session.reach_machines = start.reach_machines;
  if (any_places(settings_))
    session.owner = std::make_shared<const machine_session_config>(session_with_owner(m, start));
  session.capacities_from = parts_.schedules.begin;
  if (!parts_.schedules.of.empty())
    session.capacities = parts_.schedules.of[m];
  return spawn_queueing_machine(system_, how_, m, parts_.machines->machine(m).capacity, queues_,
                                &session);
}

node_actor machine_factory::spawn_node() {
  auto handle = system_.spawn(node, node_config{parts_.runs, parts_.clock, queueing_, meter_,
                                                settings_.owner.report_interval, hosts_});
  parts_.runs->attach(handle);
  return handle;
}

} // namespace troupe
