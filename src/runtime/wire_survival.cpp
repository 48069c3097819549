#include "runtime/wire_survival.hpp"

#include "runtime/wire_config.hpp"
#include "runtime/wire_queues.hpp"
#include "settings/fields.hpp"

namespace troupe {

namespace {

/// The group that a scheduler belongs to; all of a pool belong to the first one.
std::uint32_t group_of(const run_settings& settings, scheduler_id s) {
  if (settings.pool > 0)
    return 0;
  std::uint32_t g = 0;
  for (auto left = s; g + 1 < settings.groups.size() && left >= settings.groups[g].schedulers; ++g)
    left -= settings.groups[g].schedulers;
  return g;
}

/// The group or the pool that a scheduler is one of.
group_settings alike_of(const run_settings& settings, scheduler_id s) {
  return settings.pool > 0 ? default_group(settings) : settings.groups[group_of(settings, s)];
}

/// Every life of a scheduler draws its own numbers.
random_stream random_of(const run_settings& settings, const roster_entry& scheduler) {
  return random_stream::derive(settings.seed, "scheduler",
                               scheduler.number | (std::uint64_t{scheduler.life - 1} << 32));
}

/// Those that give a scheduler jobs.
std::vector<std::uint32_t> stores_of(const run_settings& settings, scheduler_id s) {
  std::vector<std::uint32_t> stores;
  for (std::uint32_t g = 0; g < settings.groups.size(); ++g)
    if (settings.pool > 0 || g == group_of(settings, s))
      stores.push_back(g);
  return stores;
}

/// How long a machine may go on after it was answered last.
duration machine_lease(const run_settings& settings) {
  return settings.failures.machine_timeout * 9 / 10;
}

} // namespace

std::uint32_t owner_places(const run_settings& settings) {
  return any_probes(settings) ? 0 : settings.cluster.owners;
}

roster places_of(const run_settings& settings, incarnation life) {
  roster all{life, 0, {}};
  for (owner_id o = 0; o < owner_places(settings); ++o)
    all.entries.push_back({role::owner, o, life});
  for (scheduler_id s = 0; s < settings.schedulers; ++s)
    all.entries.push_back({role::scheduler, s, life});
  return all;
}

std::shared_ptr<machine_session_config> machine_session_config_of(const run_settings& settings,
                                                                  const catalog& machines,
                                                                  machine_id number,
                                                                  incarnation life) {
  auto config = std::make_shared<machine_session_config>();
  config->rules = {life, machine_lease(settings)};
  config->owner = owners_of(settings)[machines.place_of(number).partition];
  config->heartbeat = settings.failures.heartbeat;
  return config;
}

guarded_queue_config guarded_queue_config_of(const run_settings& settings, const catalog& machines,
                                             machine_id number, incarnation life,
                                             std::shared_ptr<executor> runs_on,
                                             std::shared_ptr<machine_usage> usage,
                                             const run_clock& clock) {
  guarded_queue_config config;
  config.rules = {number,
                  machines.machine(number).capacity,
                  life,
                  machine_lease(settings),
                  settings.schedulers,
                  discipline_of(settings),
                  2 * settings.failures.heartbeat};
  for (const auto& t : settings.tenants)
    config.weights.push_back(t.weight);
  config.heartbeat = settings.failures.heartbeat;
  config.runs_on = std::move(runs_on);
  config.usage = std::move(usage);
  config.clock = clock;
  return config;
}

owner_config guarded_owner_config_of(const run_settings& settings, const promotion& as,
                                     std::shared_ptr<const catalog> machines,
                                     survival_rules survival, const run_clock& clock) {
  const auto& f = settings.failures;
  auto config = owner_config_of(settings, as.as.number, std::move(machines), clock);
  config.watch_machines = false;
  config.survival = std::move(survival);
  config.guard = {as.as.life,  f.timeout,    f.machine_timeout,
                  f.heartbeat, as.old_lease, f.owner_lease};
  return config;
}

scheduler_config guarded_scheduler_config_of(const run_settings& settings, const promotion& as,
                                             std::shared_ptr<const catalog> machines,
                                             survival_rules survival,
                                             const std::shared_ptr<run_record>& record,
                                             const run_clock& clock) {
  const auto s = as.as.number;
  auto config = scheduler_config_of(settings, alike_of(settings, s), group_of(settings, s), s,
                                    std::move(machines), record, clock);
  config.survival = std::move(survival);
  config.retries = settings.failures.retries;
  config.random = random_of(settings, as.as);
  config.stores = stores_of(settings, s);
  return config;
}

guarded_sparrow_config guarded_sparrow_config_of(const run_settings& settings, const promotion& as,
                                                 std::shared_ptr<const catalog> machines,
                                                 survival_rules survival, const run_clock& clock) {
  const auto& f = settings.failures;
  const auto s = as.as.number;
  guarded_sparrow_config config;
  config.id = s;
  config.group = group_of(settings, s);
  config.machines = std::move(machines);
  config.limits = probing_limits(alike_of(settings, s).scheduler, settings);
  config.rules = {as.as.life, stores_of(settings, s), f.retries,     f.heartbeat,
                  f.timeout,  f.machine_timeout,      f.owner_lease, as.old_lease};
  config.survival = std::move(survival);
  config.random = random_of(settings, as.as);
  config.clock = clock;
  return config;
}

master_config guarded_master_config_of(const run_settings& settings, const roster& places,
                                       incarnation life, const run_clock& clock) {
  const auto& f = settings.failures;
  master_config config;
  config.plan = plan_of(settings);
  if (owner_places(settings) > 0)
    config.owner_of = owners_of(settings);
  config.clock = clock;
  config.places = places.entries;
  config.rules = {life, f.timeout, f.owner_lease,
                  static_cast<std::uint32_t>(settings.groups.size())};
  config.heartbeat = f.heartbeat;
  return config;
}

allocator_config guarded_allocator_config_of(const run_settings& settings,
                                             std::shared_ptr<const catalog> machines,
                                             survival_rules survival, const run_clock& clock) {
  auto config = allocator_config_of(settings, std::move(machines), clock);
  config.owners = settings.cluster.owners;
  config.survival = std::move(survival);
  config.survival->retire = {};
  return config;
}

workload_config guarded_workload_config_of(const run_settings& settings, std::uint32_t group,
                                           std::shared_ptr<job_source> source,
                                           survival_rules survival, const run_clock& clock) {
  auto config =
    workload_config_of(settings, settings.groups[group], group, std::move(source), clock);
  config.warmup = settings.warmup;
  config.survival = std::move(survival);
  for (std::uint32_t g = 0; g < group && settings.pool == 0; ++g)
    config.first_scheduler += settings.groups[g].schedulers;
  config.schedulers = settings.pool > 0 ? settings.pool : settings.groups[group].schedulers;
  return config;
}

recorder_config guarded_recorder_config_of(const run_settings& settings, const catalog& machines,
                                           std::shared_ptr<run_record> record,
                                           const run_clock& clock) {
  recorder_config config;
  config.interval = settings.interval;
  config.groups = static_cast<std::uint32_t>(settings.groups.size());
  if (settings.tenants.size() > 1)
    config.capacity = total_capacity(machines);
  config.members[0] = settings.schedulers;
  config.members[1] = owner_places(settings);
  config.members[2] = config.groups;
  config.record = std::move(record);
  config.clock = clock;
  return config;
}

} // namespace troupe
