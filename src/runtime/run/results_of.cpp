#include "runtime/run/results_of.hpp"

#include "policies/registry.hpp"
#include "runtime/cluster/phases_of.hpp"
#include "runtime/cluster/policy_configs.hpp"
#include "runtime/run/self_checks.hpp"

#include <algorithm>
#include <sys/resource.h>

namespace troupe {

namespace {

/// Returns how schedulers choose machines: their policy, or the way of probing if they probe.
std::string policy_of(const scheduler_settings& alike, const run_settings& settings) {
  const auto kind = builtin_scheduler_of(alike.actor);
  if (!kind)
    return alike.actor;
  switch (*kind) {
  case builtin_scheduler::placing:
    return alike.policy;
  case builtin_scheduler::sparrow:
    return to_string(settings.sparrow.probing);
  case builtin_scheduler::hybrid:
    break;
  }
  return alike.policy + "+" + to_string(settings.sparrow.probing);
}

/// The groups' policies, each once, in the order of the groups.
std::string policies_of(const run_settings& settings) {
  if (settings.pool > 0)
    return policy_of(settings.scheduler, settings);
  std::vector<std::string> names;
  for (const auto& g : settings.groups)
    if (const auto name = policy_of(g.scheduler, settings);
        std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  std::string all;
  for (const auto& n : names)
    all += all.empty() ? n : "+" + n;
  return all;
}

/// Returns the tenants, if there are several, and the groups whose jobs belong to them.
std::vector<tenant_info> tenants_of(const run_settings& settings) {
  std::vector<tenant_info> tenants;
  if (settings.tenants.size() < 2)
    return tenants;
  for (const auto& t : settings.tenants)
    tenants.push_back({t.name, t.weight, t.min, t.max, {}});
  for (std::uint32_t g = 0; g < settings.groups.size(); ++g) {
    const auto& name = settings.groups[g].workload.tenant;
    const auto of = std::ranges::find(tenants, name, &tenant_info::name);
    (of == tenants.end() ? tenants.front() : *of).groups.push_back(g);
  }
  return tenants;
}

host_info host_of(const stopwatch& watch) {
  host_info host;
  host.wall_seconds = watch.seconds();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  host.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  host.peak_memory_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  host.version = TROUPE_VERSION;
  return host;
}

} // namespace

std::string architecture_of(const run_settings& settings) {
  std::vector<std::string> names;
  const auto note = [&](const std::string& name) {
    if (std::ranges::find(names, name) == names.end())
      names.push_back(name);
  };
  const auto of_plugin = [](const scheduler_settings& s) {
    const auto* entry = find_registered(plugin_kind::scheduler_actor, s.actor);
    return entry != nullptr && !entry->built_in();
  };
  const auto look = [&](const scheduler_settings& s) {
    note(of_plugin(s) ? s.actor : to_string(settings.architecture));
  };
  if (settings.pool > 0)
    look(settings.scheduler);
  for (std::size_t i = 0; settings.pool == 0 && i < settings.groups.size(); ++i)
    look(settings.groups[i].scheduler);
  std::string all;
  for (const auto& n : names)
    all += (all.empty() ? "" : "+") + n;
  return all;
}

run_results about(const run_settings& settings) {
  run_results results;
  results.name = settings.name;
  results.architecture = architecture_of(settings);
  results.policy = policies_of(settings);
  results.clock = settings.clock;
  results.seed = settings.seed;
  results.pool = settings.pool;
  for (const auto& g : settings.groups)
    if (settings.pool > 0)
      results.groups.push_back({g.name, policy_of(settings.scheduler, settings), settings.pool});
    else
      results.groups.push_back({g.name, policy_of(g.scheduler, settings), g.schedulers});
  results.tenants = tenants_of(settings);
  results.phases = phases_of(settings, instant::max());
  results.records = settings.records;
  for (const auto& c : settings.task_classes)
    results.task_classes.push_back(c.name);
  results.has_offers = settings.sync.plan == sync_plan_kind::offers;
  results.machines = settings.cluster.machines;
  results.policy_changes = changes_made(settings.policy_changes, settings, instant::max());
  return results;
}

run_results results_of(const run_settings& settings, run_record& record,
                       const drive_outcome& outcome, const stopwatch& watch) {
  auto results = about(settings);
  results.simulated = record.sampled_at;
  results.interrupted = outcome.interrupted;
  results.phases = phases_of(settings, record.sampled_at);
  results.offers = record.offers;
  results.messages = outcome.messages;
  results.utilization_max = record.utilization_max;
  results.queues = record.nodes.queues;
  results.skipped_rows = record.skipped_rows;
  results.moved = record.moved;
  auto changes = settings.policy_changes;
  changes.insert(changes.end(), outcome.changes.begin(), outcome.changes.end());
  results.policy_changes = changes_made(changes, settings, record.sampled_at);
  results.failures = outcome.failures;
  results.events = outcome.events;
  results.checks = check_invariants(record, settings);
  results.series = std::move(record.series);
  results.shares = std::move(record.tenants);
  results.schedulers = record.schedulers.rows();
  results.partitions = record.partitions.rows();
  results.sums = std::make_shared<const run_sums>(std::move(record.sums));
  results.parallel = record.parallel;
  results.host = host_of(watch);
  return results;
}

} // namespace troupe
