#include "runtime/wire_members.hpp"

#include "runtime/wire_config.hpp"
#include "runtime/wire_policies.hpp"
#include "runtime/wire_queues.hpp"

namespace troupe {

owner_config owner_config_of(const run_settings& settings, owner_id id,
                             std::shared_ptr<const catalog> machines, const run_clock& clock) {
  const auto owner_of = owners_of(settings);
  owner_config config;
  config.id = id;
  config.machines = std::move(machines);
  for (partition_id p = 0; p < owner_of.size(); ++p)
    if (owner_of[p] == id)
      config.partitions.push_back(p);
  config.schedulers = settings.schedulers;
  config.detection = detection_of(settings);
  config.plan = plan_of(settings);
  config.duties = {settings.sync.plan == "exclusive", settings.sync.plan == "offers",
                   ranking_of(settings)};
  config.report_interval = settings.owner.report_interval;
  config.hold_timeout = settings.owner.hold_timeout;
  config.duties.names_versions = any_waits_for_refresh(settings);
  config.clock = clock;
  return config;
}

scheduler_config scheduler_config_of(const run_settings& settings, const group_settings& alike,
                                     std::uint32_t group, scheduler_id id,
                                     std::shared_ptr<const catalog> machines,
                                     const std::shared_ptr<run_record>& record,
                                     const run_clock& clock) {
  const auto& policy = alike.scheduler.policy;
  scheduler_config config;
  config.id = id;
  config.group = group;
  config.machines = std::move(machines);
  config.owner_of = owners_of(settings);
  config.make_policy = policies_for(record);
  config.policy = [make = config.make_policy, choice = choose(policy, alike.policy.of(policy))] {
    return make(choice);
  };
  config.changes = changes_of(alike, settings);
  config.limits = limits_of(alike.scheduler, settings, id);
  config.tenants = quotas_of(settings);
  config.random = random_stream::derive(settings.seed, "scheduler", id);
  config.clock = clock;
  return config;
}

workload_config workload_config_of(const run_settings& settings, const group_settings& group,
                                   std::uint32_t number, std::shared_ptr<job_source> source,
                                   const run_clock& clock) {
  workload_config config;
  config.number = number;
  config.traits = traits_of(group.workload, settings);
  config.source = std::move(source);
  config.tick = group.workload.tick;
  config.long_schedulers =
    long_schedulers(settings.pool > 0 ? settings.scheduler : group.scheduler, settings);
  config.cutoff = settings.hybrid.cutoff;
  config.clock = clock;
  return config;
}

allocator_config allocator_config_of(const run_settings& settings,
                                     std::shared_ptr<const catalog> machines,
                                     const run_clock& clock) {
  const auto& offers = settings.offers;
  allocator_config config;
  config.machines = std::move(machines);
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
  config.clock = clock;
  return config;
}

} // namespace troupe
