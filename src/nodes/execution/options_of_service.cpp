#include "nodes/execution/options_of_service.hpp"

#include <algorithm>

namespace troupe {

namespace {

/// Whether every scheduler knows the use of the cluster by tenants.
bool keeps_to_maxima(const run_settings& s) {
  return s.tenants.size() > 1 && s.sync.plan != sync_plan_kind::offers &&
         s.sync.plan != sync_plan_kind::none &&
         std::ranges::all_of(s.groups, [](const group_settings& g) {
           return builtin_scheduler_of(g.scheduler.actor) == builtin_scheduler::placing;
         });
}

} // namespace

service_options options_of_service(const run_settings& settings) {
  service_options options;
  for (const auto& t : settings.tenants) {
    options.tenants.push_back(t.name);
    if (t.max < 1 && keeps_to_maxima(settings))
      options.maxima.emplace(t.name, t.max);
  }
  return options;
}

} // namespace troupe
