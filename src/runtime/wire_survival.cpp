#include "runtime/wire_survival.hpp"

#include "runtime/wire_config.hpp"
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

} // namespace

roster places_of(const run_settings& settings, incarnation life) {
  roster all{life, 0, {}};
  for (owner_id o = 0; o < settings.cluster.owners; ++o)
    all.entries.push_back({role::owner, o, life});
  for (scheduler_id s = 0; s < settings.schedulers; ++s)
    all.entries.push_back({role::scheduler, s, life});
  return all;
}

guarded_machine_config guarded_machine_config_of(const run_settings& settings,
                                                 const catalog& machines, machine_id number,
                                                 incarnation life,
                                                 std::shared_ptr<executor> runs_on,
                                                 const run_clock& clock) {
  guarded_machine_config config;
  config.rules = {number, machines.machine(number).capacity, life,
                  settings.failures.machine_timeout * 9 / 10};
  config.owner = owners_of(settings)[machines.place_of(number).partition];
  config.heartbeat = settings.failures.heartbeat;
  config.runs_on = std::move(runs_on);
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
  const auto group = group_of(settings, s);
  const auto pool = default_group(settings);
  auto config = scheduler_config_of(settings, settings.pool > 0 ? pool : settings.groups[group],
                                    group, s, std::move(machines), record, clock);
  config.survival = std::move(survival);
  config.retries = settings.failures.retries;
  config.random =
    random_stream::derive(settings.seed, "scheduler", s | (std::uint64_t{as.as.life - 1} << 32));
  for (std::uint32_t g = 0; g < settings.groups.size(); ++g)
    if (settings.pool > 0 || g == group)
      config.stores.push_back(g);
  return config;
}

master_config guarded_master_config_of(const run_settings& settings, const roster& places,
                                       incarnation life, const run_clock& clock) {
  const auto& f = settings.failures;
  master_config config;
  config.plan = plan_of(settings);
  config.owner_of = owners_of(settings);
  config.clock = clock;
  config.places = places.entries;
  config.rules = {life, f.timeout, f.owner_lease,
                  static_cast<std::uint32_t>(settings.groups.size())};
  config.heartbeat = f.heartbeat;
  return config;
}

workload_config guarded_workload_config_of(const run_settings& settings, std::uint32_t group,
                                           std::shared_ptr<job_source> source,
                                           survival_rules survival, const run_clock& clock) {
  auto config =
    workload_config_of(settings, settings.groups[group], group, std::move(source), clock);
  config.survival = std::move(survival);
  for (std::uint32_t g = 0; g < group && settings.pool == 0; ++g)
    config.first_scheduler += settings.groups[g].schedulers;
  config.schedulers = settings.pool > 0 ? settings.pool : settings.groups[group].schedulers;
  return config;
}

} // namespace troupe
