#include "policies/registry.hpp"
#include "runtime/swarm/conditions.hpp"
#include "settings/schema/settings.hpp"

namespace troupe {

namespace {

namespace is = swarm_conditions;

/// Commits of plugins are of the modes each and together. Plugins take no offers, and keep no
/// records.
bool plugins_fit(const swarm_picks& d) {
  return is::only_places(d) && !is::offers(d) && !d.has("workload.gang") &&
         !d.has("scheduler.commit") && !d.has("policy_changes") && !d.has("records") &&
         !is::disciplined(d) && !d.has("workload.kill_at_estimate") && !d.has("cluster.windows") &&
         !d.has("workload.array_limit") && !d.has("workload.kind");
}

bool queue_plugins_fit(const swarm_picks& d) {
  return d.is("architecture", architecture_kind::sparrow) && !d.has("records");
}

} // namespace

std::span<const swarm_row> plugin_rows() {
  static const std::vector<swarm_row> rows = [] {
    swarm_row owners{"scheduler.actor", {"placing"}, is::always, plugins_fit};
    swarm_row queues{"scheduler.actor", {"sparrow"}, is::always, queue_plugins_fit};
    for (const auto* entry : registered(plugin_kind::scheduler_actor))
      if (!entry->built_in())
        (entry->probes ? queues : owners).choices.push_back(entry->name);
    std::vector<swarm_row> all{std::move(owners), std::move(queues)};
    std::erase_if(all, [](const swarm_row& row) { return row.choices.size() == 1; });
    return all;
  }();
  return rows;
}

} // namespace troupe
