#pragma once

#include "policies/registry.hpp"
#include "settings/field_info.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

/// The settings that policies and plugins declare themselves, and those of plugins, described as
/// fields.hpp says.
namespace troupe {

/// The settings of all built-in policies, each once: they stand in [policy] itself. The second is
/// the meaning, led by the names of the policies that heed it.
const std::vector<std::pair<const setting_info*, std::string>>& shared_settings();

template <class Visitor>
void describe_setting(Visitor& v, const setting_info& s, std::string_view meaning,
                      setting_values& values) {
  const field_info info{
    s.name, meaning, {s.min, s.max, s.above_min, s.below_max, s.choices}, s.unit};
  std::visit([&](auto& member) { v.field(info, member); }, values.at(s.name, s.standard));
}

/// The values of what one plugin declares.
struct declared_values {
  std::span<const setting_info> declared;
  setting_values& values;
};

template <class Visitor>
void describe(Visitor& v, declared_values& s) {
  for (const auto& setting : s.declared)
    describe_setting(v, setting, setting.meaning, s.values);
}

/// The tables of all plugins of a kind that are loaded and declare settings.
template <class Visitor>
void describe_own(Visitor& v, plugin_kind kind, std::map<std::string, setting_values>& own) {
  for (const auto* plugin : registered(kind))
    if (!plugin->built_in() && !plugin->settings.empty())
      v.table({plugin->name, plugin->summary},
              declared_values{plugin->settings, own[std::string(plugin->name)]});
}

template <class Visitor>
void describe(Visitor& v, plugin_settings& s) {
  v.field({"paths", "where they are; a relative path starts at the current directory"}, s.paths);
}

template <class Visitor>
void describe(Visitor& v, policy_change_settings& s) {
  v.field({"at", "when, in the time of the run", at_least(0)}, s.at);
  v.field({"group", "whose schedulers; empty: those of all groups, or the pool"}, s.group);
  v.field({"to", "the policy from then on", one_of(choices::policies())}, s.to);
  v.overlay({"policy", "how it is tuned; what is not set is taken from [policy], and if nothing is "
                       "set, from the group's own"},
            s.policy);
}

} // namespace troupe
