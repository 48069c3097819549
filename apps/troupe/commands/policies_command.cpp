#include "commands/commands.hpp"
#include "policies/registry.hpp"
#include "settings/schema/allowed.hpp"
#include "support/inputs.hpp"
#include "support/json_output.hpp"
#include "support/terminal.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <memory>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

constexpr std::pair<plugin_kind, const char*> kinds[] = {
  {plugin_kind::placement_policy, "placement-policy"},
  {plugin_kind::scheduler_actor, "scheduler-actor"},
};

/// Returns the key of a setting in a settings file.
std::string key_of(const registered_plugin& plugin, const setting_info& s) {
  const std::string table = plugin.kind == plugin_kind::placement_policy ? "policy." : "scheduler.";
  return table + (plugin.built_in() ? "" : std::string(plugin.name) + ".") + std::string(s.name);
}

allowed range_of(const setting_info& s) {
  return {s.min, s.max, s.above_min, s.below_max, s.choices};
}

json value_json(const setting_value& value) {
  if (const auto* length = std::get_if<duration>(&value))
    return to_string(*length);
  return std::visit(
    [](const auto& x) -> json {
      if constexpr (std::same_as<std::decay_t<decltype(x)>, duration>)
        return nullptr;
      else
        return x;
    },
    value);
}

json setting_json(const registered_plugin& plugin, const setting_info& s) {
  const auto range = range_of(s).to_text();
  json out{{"key", key_of(plugin, s)},
           {"type", type_name(s.standard)},
           {"default", value_json(s.standard)},
           {"meaning", s.meaning}};
  if (!range.empty())
    out["range"] = range;
  if (!s.unit.empty())
    out["unit"] = s.unit;
  return out;
}

json plugin_json(const registered_plugin& plugin, const char* kind) {
  json out{{"name", plugin.name}, {"kind", kind}, {"summary", plugin.summary}};
  if (plugin.built_in())
    out["plugin"] = nullptr;
  else
    out["plugin"] = plugin.origin;
  out["settings"] = json::array();
  for (const auto& s : plugin.settings)
    out["settings"].push_back(setting_json(plugin, s));
  return out;
}

void print_plugin(const registered_plugin& plugin) {
  constexpr std::size_t name_width = 16;
  auto name = std::string(plugin.name);
  name.resize(std::max(name.size() + 1, name_width), ' ');
  std::cout << in_lines(name + std::string(plugin.summary), name_width);
  for (const auto& s : plugin.settings) {
    auto limits = range_of(s).to_text();
    if (!s.unit.empty())
      limits = limits.empty() ? std::string(s.unit) : std::string(s.unit) + ", " + limits;
    std::cout << in_lines("  " + key_of(plugin, s) + " = " + to_text(s.standard) + ": " +
                            std::string(s.meaning) + (limits.empty() ? "" : " [" + limits + "]"),
                          6);
  }
  if (!plugin.built_in())
    std::cout << "  from " << plugin.origin << '\n';
}

int print_policies(const std::vector<std::string>& plugins, bool as_json) {
  load_plugins(plugins);
  if (as_json) {
    auto all = json::array();
    for (const auto& [kind, name] : kinds)
      for (const auto* plugin : registered(kind))
        all.push_back(plugin_json(*plugin, name));
    print_json({{"plugins", std::move(all)}});
    return exit_code::done;
  }
  std::cout << "Placement policies (scheduler.policy):\n\n";
  for (const auto* plugin : registered(plugin_kind::placement_policy))
    print_plugin(*plugin);
  std::cout << "\nScheduler actors (scheduler.actor):\n\n";
  for (const auto* plugin : registered(plugin_kind::scheduler_actor))
    print_plugin(*plugin);
  return exit_code::done;
}

} // namespace

void add_policies_command(CLI::App& app, action& chosen) {
  auto* command =
    app.add_subcommand("policies", "List placement policies and scheduler actors, with settings");
  command->footer("Examples:\n"
                  "  troupe policies\n"
                  "  troupe policies --plugin build/mine.so --json\n"
                  "  troupe run configs/quickstart.toml --set scheduler.policy=quality-first");
  auto plugins = std::make_shared<std::vector<std::string>>();
  auto as_json = std::make_shared<bool>(false);
  add_plugin_option(*command, *plugins);
  add_json_option(*command, *as_json);
  command->callback([&chosen, plugins, as_json] {
    chosen = [plugins, as_json] { return print_policies(*plugins, *as_json); };
  });
}

} // namespace troupe
