#include "policies/registry.hpp"
#include "runtime/swarm/conditions.hpp"
#include "settings/schema/settings.hpp"

#include <deque>
#include <initializer_list>

namespace troupe {

namespace {

namespace is = swarm_conditions;

/// Plugins take no offers, keep no discipline and no limit of an array, and do not heed estimates.
bool plugins_fit(const swarm_picks& d) {
  return is::only_places(d) && !is::offers(d) && !is::disciplined(d) &&
         !d.has("workload.kill_at_estimate") && !d.has("workload.array_limit");
}

/// With one scheduler of a plugin for all groups, no policy could change.
bool plugins_fit_all(const swarm_picks& d) {
  return plugins_fit(d) && !d.has("policy_changes");
}

bool plugins_fit_a_group(const swarm_picks& d) {
  return plugins_fit(d) && d.has("groups") && !d.has("pool");
}

bool queue_plugins_fit(const swarm_picks& d) {
  return d.is("architecture", architecture_kind::sparrow);
}

bool queue_plugins_fit_a_group(const swarm_picks& d) {
  return queue_plugins_fit(d) && d.has("groups") && !d.has("pool");
}

std::string schedulers_of(double n) {
  return "schedulers=" + std::to_string(static_cast<int>(n)) + ",";
}

/// All schedulers but one are those of the architecture.
bool fits_schedulers(const swarm_picks& d, std::string_view groups) {
  return groups.find(schedulers_of(d.number("schedulers", 0) - 1)) != std::string_view::npos;
}

/// Returns groups of a hybrid cluster, the second of which has one scheduler, from the plugin.
std::vector<std::string_view> hybrid_groups(const std::vector<std::string_view>& plugins) {
  static std::deque<std::string> texts; // rows refer to them
  std::vector<std::string_view> all;
  for (const auto plugin : plugins)
    for (const auto n : {2, 4, 7})
      all.push_back(texts.emplace_back("[{" + schedulers_of(n) +
                                       "name=\"a\"},{name=\"b\",schedulers=1,scheduler={actor=\"" +
                                       std::string{plugin} + "\"}}]"));
  return all;
}

} // namespace

std::span<const swarm_row> plugin_rows() {
  static const std::vector<swarm_row> rows = [] {
    std::vector<std::string_view> owners;
    std::vector<std::string_view> queues;
    for (const auto* entry : registered(plugin_kind::scheduler_actor))
      if (!entry->built_in())
        (entry->probes ? queues : owners).push_back(entry->name);
    const auto beside = [](std::string_view built_in, std::vector<std::string_view> names) {
      names.insert(names.begin(), built_in);
      return names;
    };
    std::vector<swarm_row> all;
    if (!owners.empty()) {
      const auto choices = beside("placing", owners);
      all.push_back({"scheduler.actor", choices, is::always, plugins_fit_all});
      all.push_back({"scheduler.actor", choices, is::by_group, plugins_fit_a_group});
      all.push_back({"groups", hybrid_groups(owners), is::feature, is::hybrid, fits_schedulers});
    }
    if (!queues.empty()) {
      const auto choices = beside("sparrow", queues);
      all.push_back({"scheduler.actor", choices, is::always, queue_plugins_fit});
      all.push_back({"scheduler.actor", choices, is::by_group, queue_plugins_fit_a_group});
      all.push_back({"groups", hybrid_groups(queues), is::feature, is::hybrid, fits_schedulers});
    }
    return all;
  }();
  return rows;
}

} // namespace troupe
