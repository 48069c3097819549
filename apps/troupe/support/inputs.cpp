#include "support/inputs.hpp"

#include "commands/commands.hpp"
#include "policies/plugin_library.hpp"
#include "runtime/cluster/probing.hpp"
#include "runtime/cluster/traced_cluster.hpp"
#include "settings/toml/read.hpp"
#include "settings/toml/toml_text.hpp"
#include "workload/generate/factory.hpp"

#include <CLI/CLI.hpp>

#include <exception>
#include <filesystem>

namespace troupe {

void add_settings_options(CLI::App& command, settings_input& input) {
  command.add_option("CONFIG", input.file, "File of settings, in TOML")->type_name("");
  command.add_option("--set", input.overrides, "Override one setting; may be repeated")
    ->allow_extra_args(false)
    ->type_name("KEY=VALUE");
  add_plugin_option(command, input.plugins);
}

void add_plugin_option(CLI::App& command, std::vector<std::string>& plugins) {
  command
    .add_option("--plugin", plugins,
                "Load a shared library with a policy or scheduler; may be repeated")
    ->allow_extra_args(false)
    ->type_name("PATH");
}

void load_plugins(const std::vector<std::string>& plugins) {
  for (const auto& path : plugins)
    try {
      load_plugin(path);
    } catch (const plugin_error& e) {
      throw usage_error{std::string{"--plugin "} + e.what()};
    }
}

std::vector<std::string> with_plugins(std::vector<std::string> overrides,
                                      const std::vector<std::string>& plugins) {
  load_plugins(plugins);
  std::vector<std::string> all;
  for (const auto& path : plugins)
    all.push_back("plugins.paths+=" + to_toml_value(std::filesystem::canonical(path).string()));
  all.insert(all.end(), overrides.begin(), overrides.end());
  return all;
}

run_settings read_input(const settings_input& input, settings_use use) try {
  auto settings = read_settings(input.file, with_plugins(input.overrides, input.plugins));
  if (settings.runs_commands() && use == settings_use::run)
    throw usage_error{input.file + ": workload.kind = \"jobs\" is for clusters of nodes; expected "
                                   "phases, burst or trace, or 'troupe cluster up' with this file"};
  resolve_machines(settings);
  for (const auto& group : settings.groups)
    check_workload(group.workload, probed(group, settings));
  return settings;
} catch (const std::exception& e) {
  throw usage_error{e.what()};
}

} // namespace troupe
