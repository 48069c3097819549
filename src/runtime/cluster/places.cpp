#include "runtime/cluster/places.hpp"

#include "runtime/cluster/probing.hpp"
#include "settings/schema/fields.hpp"

namespace troupe {

std::uint32_t owner_places(const run_settings& settings) {
  return any_places(settings) ? settings.cluster.owners : 0;
}

membership places_of(const run_settings& settings, incarnation_id incarnation) {
  membership all{incarnation, 0, {}};
  for (owner_id o = 0; o < owner_places(settings); ++o)
    all.entries.push_back({role::owner, o, incarnation});
  for (scheduler_id s = 0; s < settings.schedulers; ++s)
    all.entries.push_back({role::scheduler, s, incarnation});
  return all;
}

scheduler_place place_of(const run_settings& settings, scheduler_id s) {
  if (settings.pool > 0)
    return {0, s};
  scheduler_place at{0, s};
  for (; at.group + 1 < settings.groups.size() && at.index >= settings.groups[at.group].schedulers;
       ++at.group)
    at.index -= settings.groups[at.group].schedulers;
  return at;
}

group_settings alike_of(const run_settings& settings, scheduler_id s) {
  if (settings.pool == 0)
    return settings.groups[place_of(settings, s).group];
  auto pool = default_group(settings);
  pool.schedulers = settings.pool;
  return pool;
}

bool probes(const run_settings& settings, scheduler_id s) {
  const auto at = place_of(settings, s);
  const auto& alike = settings.pool > 0 ? settings.scheduler : settings.groups[at.group].scheduler;
  return probes(alike, settings, at.index);
}

scheduler_id first_scheduler(const run_settings& settings, std::uint32_t group) {
  scheduler_id first = 0;
  for (std::uint32_t g = 0; g < group && settings.pool == 0; ++g)
    first += settings.groups[g].schedulers;
  return first;
}

std::uint32_t schedulers_of(const run_settings& settings, std::uint32_t group) {
  return settings.pool > 0 ? settings.pool : settings.groups[group].schedulers;
}

std::vector<std::uint32_t> groups_of(const run_settings& settings, scheduler_id s) {
  if (settings.pool == 0)
    return {place_of(settings, s).group};
  std::vector<std::uint32_t> all;
  for (std::uint32_t g = 0; g < settings.groups.size(); ++g)
    all.push_back(g);
  return all;
}

} // namespace troupe
