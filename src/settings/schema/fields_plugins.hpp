#pragma once

#include "policies/registry.hpp"
#include "settings/schema/field_info.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

/// The settings that policies and plugins declare, and those for loading plugins, in the form that
/// fields.hpp describes.
namespace troupe {

/// The settings of all built-in policies, each once; they are in [policy] itself. The second
/// element is the meaning, which begins with the names of the policies that use the setting.
const std::vector<std::pair<const setting_info*, std::string>>& shared_settings();

template <class Visitor>
void describe_setting(Visitor& v, const setting_info& s, std::string_view meaning,
                      setting_values& values) {
  const field_info info{
    s.name, meaning, {s.min, s.max, s.above_min, s.below_max, s.choices}, s.unit};
  std::visit([&](auto& member) { v.field(info, member); }, values.at(s.name, s.standard));
}

/// The values of the settings that one plugin declares.
struct declared_values {
  std::span<const setting_info> declared;
  setting_values& values;
};

template <class Visitor>
void describe(Visitor& v, declared_values& s) {
  for (const auto& setting : s.declared)
    describe_setting(v, setting, setting.meaning, s.values);
}

/// The tables of all loaded plugins of a kind that declare settings.
template <class Visitor>
void describe_own(Visitor& v, plugin_kind kind, std::map<std::string, setting_values>& own) {
  for (const auto* plugin : registered(kind))
    if (!plugin->built_in() && !plugin->settings.empty())
      v.table({plugin->name, plugin->summary},
              declared_values{plugin->settings, own[std::string(plugin->name)]});
}

template <class Visitor>
void describe(Visitor& v, plugin_settings& s) {
  v.field({"paths", "paths of the libraries; relative ones start at the current directory"},
          s.paths);
}

template <class Visitor>
void describe(Visitor& v, policy_change_settings& s) {
  v.field({"at", "time of the change, in the time of the run", at_least(0)}, s.at);
  v.field({"group", "group whose schedulers change; empty: all groups, or the pool"}, s.group);
  v.field({"to", "the new policy", one_of(choices::policies())}, s.to);
  v.overlay({"policy", "settings of the new policy; unset ones are taken from [policy] or, if none "
                       "is set, from the group's own"},
            s.policy);
}

} // namespace troupe
