#include "runtime/run/live_about.hpp"

#include "runtime/cluster/actor_configs.hpp"
#include "runtime/cluster/places.hpp"
#include "runtime/cluster/scheduler_plugins.hpp"
#include "runtime/run/results_of.hpp"

#include <chrono>
#include <unistd.h>

namespace troupe {

namespace {

/// Differs between the runs of a host. No result depends on it.
std::string name_of_run() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  return std::to_string(getpid()) + '-' + std::to_string(ms);
}

/// How a scheduler chooses machines at first.
std::string policy_of(const run_settings& settings, scheduler_id s) {
  const auto alike = alike_of(settings, s);
  if (scheduler_plugin_of(settings, s) != nullptr)
    return alike.scheduler.actor;
  return probes(settings, s) ? to_string(settings.sparrow.probing) : alike.scheduler.policy;
}

} // namespace

live_about live_about_of(const run_settings& settings) {
  const auto results = about(settings);
  live_about all;
  all.run = name_of_run();
  all.name = settings.name;
  all.architecture = results.architecture;
  all.policy = results.policy;
  all.world = settings.clock == clock_kind::real_time ? "real" : "virtual";
  all.seed = settings.seed;
  all.interval = settings.interval;
  all.length = settings.length;
  all.sync_gap = settings.sync.gap;
  all.machines = settings.runs_commands() ? 0 : settings.cluster.machines;
  all.owners = owner_places(settings);
  all.pool = settings.pool;
  all.groups = results.groups;
  for (scheduler_id s = 0; s < settings.schedulers; ++s) {
    const auto group = place_of(settings, s).group;
    all.group_of.push_back(group);
    all.policies.push_back(policy_of(settings, s));
  }
  if (all.owners > 0)
    all.owner_of = owners_of(settings);
  all.phases = results.phases;
  return all;
}

} // namespace troupe
