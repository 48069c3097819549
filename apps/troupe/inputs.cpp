#include "inputs.hpp"

#include "commands.hpp"
#include "runtime/traced_cluster.hpp"
#include "settings/read.hpp"
#include "workload/factory.hpp"

#include <CLI/CLI.hpp>

#include <exception>

namespace troupe {

void add_settings_options(CLI::App& command, settings_input& input) {
  command.add_option("CONFIG", input.file, "File of settings, in TOML")->type_name("");
  command.add_option("--set", input.overrides, "Override one setting; may be repeated")
    ->allow_extra_args(false)
    ->type_name("KEY=VALUE");
}

run_settings read_input(const settings_input& input) try {
  auto settings = read_settings(input.file, input.overrides);
  resolve_machines(settings);
  for (const auto& group : settings.groups)
    check_workload(group.workload);
  return settings;
} catch (const std::exception& e) {
  throw usage_error{e.what()};
}

} // namespace troupe
