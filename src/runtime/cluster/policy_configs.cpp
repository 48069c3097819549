#include "runtime/cluster/policy_configs.hpp"

#include "policies/checked_policy.hpp"
#include "settings/schema/fields.hpp"

#include <algorithm>

namespace troupe {

namespace {

bool concerns(const policy_change_settings& change, const group_settings& group) {
  return change.group.empty() || change.group == group.name;
}

/// Returns the settings of `change` or, if it sets nothing, those of the group.
setting_values tuned(const policy_change_settings& change, const group_settings& group,
                     const run_settings& settings) {
  const bool untouched = change.policy == settings.policy;
  return (untouched ? group.policy : change.policy).of(change.to);
}

std::vector<policy_change_settings> by_time(std::span<const policy_change_settings> changes) {
  std::vector<policy_change_settings> sorted(changes.begin(), changes.end());
  std::ranges::stable_sort(sorted, {}, &policy_change_settings::at);
  return sorted;
}

} // namespace

policy_maker policies_for(const std::shared_ptr<run_record>& record) {
  return [record](const policy_choice& choice) -> std::unique_ptr<placement_policy> {
    const auto* entry = find_registered(plugin_kind::placement_policy, choice.policy);
    if (entry == nullptr)
      return nullptr;
    const auto make = [choice] { return make_policy(choice.policy, values_of(choice)); };
    if (entry->built_in())
      return make();
    return std::make_unique<checked_policy>(make, label_of(*entry), [record](const auto& why) {
      const std::lock_guard lock{record->mutex};
      if (record->error.empty())
        record->error = why;
    });
  };
}

std::vector<std::pair<instant, policy_choice>> changes_of(const group_settings& group,
                                                          const run_settings& settings) {
  std::vector<std::pair<instant, policy_choice>> changes;
  for (const auto& change : by_time(settings.policy_changes))
    if (concerns(change, group))
      changes.emplace_back(change.at, choose(change.to, tuned(change, group, settings)));
  return changes;
}

std::vector<policy_change_info> changes_made(std::span<const policy_change_settings> changes,
                                             const run_settings& settings, instant end) {
  std::vector<policy_change_info> made;
  std::vector<std::string> now;
  for (const auto& g : settings.groups)
    now.push_back(settings.pool > 0 ? settings.scheduler.policy : g.scheduler.policy);
  for (const auto& change : by_time(changes))
    for (std::uint32_t g = 0; g < now.size() && change.at <= end; ++g)
      if (concerns(change, settings.groups[g]) &&
          has_policy(settings.pool > 0 ? settings.scheduler : settings.groups[g].scheduler)) {
        made.push_back({change.at, g, now[g], change.to});
        now[g] = change.to;
      }
  return made;
}

std::vector<policy_change_settings> differences(const run_settings& before,
                                                const run_settings& after, instant at) {
  std::vector<policy_change_settings> changes;
  const auto compare = [&](const std::string& name, const group_settings& was,
                           const group_settings& is) {
    const auto& to = is.scheduler.policy;
    if (!has_policy(was.scheduler))
      return;
    if (was.scheduler.policy != to || was.policy.of(to) != is.policy.of(to))
      changes.push_back({at, name, to, is.policy});
  };
  if (before.pool > 0) {
    compare("", default_group(before), default_group(after));
    return changes;
  }
  for (const auto& was : before.groups)
    for (const auto& is : after.groups)
      if (was.name == is.name)
        compare(was.name, was, is);
  return changes;
}

} // namespace troupe
