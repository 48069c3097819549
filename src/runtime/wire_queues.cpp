#include "runtime/wire_queues.hpp"

#include "actors/scheduler_plugin.hpp"

#include <caf/actor_system.hpp>

#include <algorithm>
#include <cmath>

namespace troupe {

namespace {

/// Returns whether `holds` of any kind of schedulers in the run.
template <class Predicate>
bool any_kind(const run_settings& settings, Predicate holds) {
  if (settings.pool > 0)
    return holds(settings.scheduler.actor);
  return std::ranges::any_of(settings.groups,
                             [&](const auto& g) { return holds(g.scheduler.actor); });
}

scheduler_protocol protocol_of(const std::string& actor) {
  const auto* scheduler = find_scheduler(actor);
  return scheduler == nullptr ? scheduler_protocol::owners : scheduler->protocol;
}

bool is_prober(const std::string& actor) {
  return actor == "hybrid" || protocol_of(actor) == scheduler_protocol::queues;
}

probing probing_of(const std::string& name) {
  if (name == "random")
    return probing::random;
  if (name == "per-task")
    return probing::per_task;
  return name == "batch" ? probing::batch : probing::late_binding;
}

} // namespace

bool any_probes(const run_settings& settings) {
  return any_kind(settings, is_prober);
}

bool probed(const group_settings& group, const run_settings& settings) {
  return is_prober(settings.pool > 0 ? settings.scheduler.actor : group.scheduler.actor);
}

bool any_places(const run_settings& settings) {
  return any_kind(settings, [](const std::string& actor) {
    return actor == "hybrid" || protocol_of(actor) == scheduler_protocol::owners;
  });
}

std::uint32_t long_schedulers(const scheduler_settings& alike, const run_settings& settings) {
  return alike.actor == "hybrid" ? settings.hybrid.long_schedulers : 0;
}

bool probes(const scheduler_settings& alike, const run_settings& settings, std::uint32_t i) {
  if (alike.actor == "hybrid")
    return i >= long_schedulers(alike, settings);
  return protocol_of(alike.actor) == scheduler_protocol::queues;
}

std::uint32_t reserved_partitions(const run_settings& settings) {
  const bool hybrid =
    any_kind(settings, [](const std::string& actor) { return actor == "hybrid"; });
  if (!hybrid)
    return 0;
  return static_cast<std::uint32_t>(
    std::lround(static_cast<double>(settings.cluster.partitions) * settings.hybrid.reserved));
}

queue_discipline discipline_of(const run_settings& settings) {
  const auto& name = settings.sparrow.queue;
  if (name == "priority")
    return queue_discipline::priority;
  return name == "fair" ? queue_discipline::fair : queue_discipline::fifo;
}

queueing_machines spawn_queueing_machines(caf::actor_system& system, const catalog& machines,
                                          const run_settings& settings, const run_clock& clock,
                                          const std::shared_ptr<executor>& runs,
                                          const linker& link) {
  queueing_machines all{
    std::make_shared<std::vector<queueing_machine_actor>>(),
    std::make_shared<std::vector<queueing_machine_actor>>(), std::make_shared<machine_neighbours>(),
    std::make_shared<queue_meter>(machines, static_cast<std::uint32_t>(settings.tenants.size()))};
  auto config = std::make_shared<queueing_machine_config>();
  config->runs_on = runs;
  config->discipline = discipline_of(settings);
  for (const auto& t : settings.tenants)
    config->weights.push_back(t.weight);
  config->unit = machines.unit();
  const auto open = machines.partitions() - reserved_partitions(settings);
  const bool steals = any_places(settings);
  config->steal_attempts = steals ? settings.hybrid.steal_attempts : 0;
  for (partition_id p = 0; p < open; ++p)
    config->steal_below += static_cast<machine_id>(machines.members(p).size());
  config->seed = settings.seed;
  config->neighbours = all.neighbours;
  config->meter = all.meter;
  config->clock = clock;
  for (machine_id m = 0; m < machines.machines(); ++m) {
    all.plain->push_back(system.spawn(queueing_machine, m, machines.machine(m).capacity,
                                      std::shared_ptr<const queueing_machine_config>{config}));
    all.linked->push_back(caf::actor_cast<queueing_machine_actor>(
      link(all.plain->back(), "cluster", numbered("machine", m))));
  }
  all.neighbours->machines = *all.linked;
  return all;
}

sparrow_limits probing_limits(const scheduler_settings& alike, const run_settings& settings) {
  const auto& s = settings.sparrow;
  return {probing_of(s.probing), s.cancellation, s.ratio,      s.adaptive_ratio, s.ratio_min,
          s.ratio_max,           alike.t_job,    alike.t_task, settings.warmup};
}

} // namespace troupe
