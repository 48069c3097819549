#include "runtime/cluster/member_configs.hpp"

#include "runtime/cluster/actor_configs.hpp"
#include "runtime/cluster/phases_of.hpp"
#include "runtime/cluster/places.hpp"
#include "runtime/cluster/policy_configs.hpp"
#include "runtime/cluster/probing.hpp"
#include "runtime/cluster/scheduler_plugins.hpp"
#include "settings/schema/kept_records.hpp"

#include <algorithm>

namespace troupe {

namespace {

/// Every incarnation of a scheduler draws numbers of its own.
random_stream random_of(const run_settings& settings, const member_entry& scheduler) {
  return random_stream::derive(settings.seed, "scheduler",
                               scheduler.number | (std::uint64_t{scheduler.incarnation - 1} << 32));
}

} // namespace

owner_config owner_config_of(const run_settings& settings, const member_parts& parts,
                             const member_start& start) {
  const auto owner_of = owners_of(settings);
  owner_config config;
  config.id = start.as.number;
  config.machines = parts.machines;
  for (partition_id p = 0; p < owner_of.size(); ++p)
    if (owner_of[p] == config.id)
      config.partitions.push_back(p);
  config.schedulers = settings.schedulers;
  config.detection = settings.owner.detection;
  config.plan = plan_of(settings);
  config.duties = {settings.sync.plan == sync_plan_kind::exclusive,
                   settings.sync.plan == sync_plan_kind::offers, ranking_of(settings)};
  config.report_interval = settings.owner.report_interval;
  config.hold_timeout = settings.owner.hold_timeout;
  config.reports_first = any_counts_own_ends(settings);
  config.duties.names_versions = any_waits_for_refresh(settings);
  config.clock = parts.clock;
  config.watch = parts.watch;
  config.tells_capacity = !start.failover && any_probes(settings);
  if (!start.failover)
    return config;
  const auto& f = settings.failures;
  config.watch_machines = false;
  for (scheduler_id s = 0; s < settings.schedulers; ++s)
    if (probes(settings, s))
      config.probers.push_back(s);
  config.failover = start.failover;
  config.leases = {start.as.incarnation, f.timeout,       f.machine_timeout,
                   f.heartbeat,          start.old_lease, f.owner_lease};
  return config;
}

scheduler_config scheduler_config_of(const run_settings& settings, const member_parts& parts,
                                     const member_start& start) {
  const auto s = start.as.number;
  const auto alike = alike_of(settings, s);
  const auto& policy = alike.scheduler.policy;
  scheduler_config config;
  config.id = s;
  config.group = place_of(settings, s).group;
  config.machines = parts.machines;
  config.owner_of = owners_of(settings);
  config.make_policy = policies_for(parts.record);
  config.policy = [make = config.make_policy, choice = choose(policy, alike.policy.of(policy))] {
    return make(choice);
  };
  config.policy_name = policy;
  config.changes = changes_of(alike, settings);
  config.limits = limits_of(alike.scheduler, settings, s);
  config.limits.watch = parts.watch;
  config.tenants = quotas_of(settings);
  config.random = random_of(settings, start.as);
  config.clock = parts.clock;
  if (!start.failover)
    return config;
  config.failover = start.failover;
  config.retries = settings.failures.retries;
  config.stores = groups_of(settings, s);
  return config;
}

sparrow_scheduler_config sparrow_config_of(const run_settings& settings, const member_parts& parts,
                                           const member_start& start) {
  const auto s = start.as.number;
  sparrow_scheduler_config config;
  config.id = s;
  config.group = place_of(settings, s).group;
  config.machines = parts.machines;
  config.limits = probing_limits(alike_of(settings, s).scheduler, settings);
  config.limits.watch = parts.watch;
  config.random = random_of(settings, start.as);
  config.clock = parts.clock;
  if (!start.failover) {
    config.watch_machines = settings.sparrow.watch_machines;
    return config;
  }
  const auto& f = settings.failures;
  const auto incarnation = start.as.incarnation;
  const auto calls = parts.begins_whole && incarnation == 1 ? 0 : settings.sparrow.session_calls;
  config.session = {{incarnation, groups_of(settings, s), f.retries, f.heartbeat, f.timeout,
                     f.machine_timeout, f.owner_lease, start.old_lease, calls},
                    *start.failover};
  return config;
}

master_config master_config_of(const run_settings& settings, const member_parts& parts,
                               const member_start& start) {
  master_config config;
  config.plan = plan_of(settings);
  if (owner_places(settings) > 0)
    config.owner_of = owners_of(settings);
  config.clock = parts.clock;
  if (!start.failover)
    return config;
  const auto& f = settings.failures;
  config.places = start.failover->now.entries;
  config.rules = {start.as.incarnation, f.timeout, f.owner_lease,
                  static_cast<std::uint32_t>(settings.groups.size())};
  config.rules.first_owners = start.first.owners;
  config.rules.first_schedulers = start.first.schedulers;
  config.heartbeat = f.heartbeat;
  return config;
}

allocator_config allocator_config_of(const run_settings& settings, const member_parts& parts,
                                     const member_start& start) {
  const auto& offers = settings.offers;
  allocator_config config;
  config.machines = parts.machines;
  for (scheduler_id s = 0; s < settings.schedulers; ++s) {
    const auto group = place_of(settings, s).group;
    config.weights.push_back(settings.pool > 0 ? 1 : settings.groups[group].offers.weight);
    config.group_of.push_back(group);
  }
  config.rules = {offers.filter, offers.timeout, offers.whole, offers.hoard > 0};
  config.interval = offers.interval;
  config.clock = parts.clock;
  if (!start.failover)
    return config;
  config.owners = owner_places(settings);
  config.failover = start.failover;
  config.failover->retire = {}; // nobody takes over from it
  return config;
}

workload_config workload_config_of(const run_settings& settings, const member_parts& parts,
                                   const member_start& start, std::shared_ptr<job_source> source) {
  const auto number = start.as.number;
  const auto& group = settings.groups[number];
  workload_config config;
  config.number = number;
  config.traits = traits_of(group.workload, settings);
  config.source = std::move(source);
  config.tick = group.workload.tick;
  config.long_schedulers =
    long_schedulers(settings.pool > 0 ? settings.scheduler : group.scheduler, settings);
  config.cutoff = settings.hybrid.cutoff;
  config.clock = parts.clock;
  if (!start.failover)
    return config;
  config.failover = start.failover;
  config.first_scheduler = first_scheduler(settings, number);
  config.schedulers = schedulers_of(settings, number);
  config.warmup = settings.warmup;
  config.withdrawals = {parts.withdrawals, settings.chaos.longest,
                        random_stream::derive(settings.seed, "withdrawals", number)};
  return config;
}

recorder_config recorder_config_of(const run_settings& settings, const member_parts& parts) {
  recorder_config config;
  config.interval = settings.interval;
  config.ends_within = phase_ends_within_intervals(settings);
  config.groups = static_cast<std::uint32_t>(settings.groups.size());
  if (settings.tenants.size() > 1)
    config.machines = parts.machines;
  config.members[0] = settings.schedulers;
  config.members[1] = owner_places(settings);
  config.members[2] = config.groups;
  if (config.members[1] > 0)
    config.partitions = parts.machines->partitions();
  config.record = parts.record;
  config.clock = parts.clock;
  config.records = kept_records(settings) != record_level::none;
  for (scheduler_id s = 0; s < settings.schedulers; ++s)
    config.from_plugin.push_back(scheduler_plugin_of(settings, s) != nullptr);
  config.record_delay =
    std::max<duration>(std::chrono::seconds{1}, 2 * settings.owner.report_interval);
  return config;
}

} // namespace troupe
