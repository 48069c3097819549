#include "settings/schema/fields.hpp"

#include <algorithm>
#include <vector>

namespace troupe {

namespace choices {

std::span<const std::string_view> policies() {
  return registered_names(plugin_kind::placement_policy);
}

std::span<const std::string_view> scheduler_actors() {
  static std::vector<std::string_view> names(choice_names<builtin_scheduler>::value.begin(),
                                             choice_names<builtin_scheduler>::value.end());
  for (const auto* plugin : registered(plugin_kind::scheduler_actor))
    if (std::ranges::find(names, plugin->name) == names.end())
      names.push_back(plugin->name);
  return names;
}

} // namespace choices

const std::vector<std::pair<const setting_info*, std::string>>& shared_settings() {
  static const auto all = [] {
    std::vector<std::pair<const setting_info*, std::string>> settings;
    for (const auto& policy : builtin_policies())
      for (const auto& s : policy.settings) {
        const auto known = std::ranges::find_if(
          settings, [&](const auto& other) { return other.first->name == s.name; });
        if (known == settings.end())
          settings.emplace_back(&s, policy.name);
        else
          known->second += ", " + std::string(policy.name);
      }
    for (auto& [info, text] : settings)
      text += ": " + std::string(info->meaning);
    return settings;
  }();
  return all;
}

setting_values policy_settings::of(std::string_view policy) const {
  const auto* entry = find_registered(plugin_kind::placement_policy, policy);
  if (entry == nullptr)
    return {};
  const auto table = own.find(std::string(policy));
  const auto& given = entry->built_in()    ? shared
                      : table == own.end() ? setting_values{}
                                           : table->second;
  return completed(entry->settings, given);
}

} // namespace troupe
