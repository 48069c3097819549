#include "commands/commands.hpp"
#include "settings/toml/print.hpp"
#include "support/inputs.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>

namespace troupe {

namespace {

int print_config(const settings_input& input) {
  if (input.file.empty() && !input.overrides.empty())
    throw usage_error{"config: --set without CONFIG; expected a CONFIG file"};
  load_plugins(input.plugins);
  const auto text =
    input.file.empty() ? settings_reference() : to_toml(read_input(input, settings_use::cluster));
  std::fputs(text.c_str(), stdout);
  return exit_code::done;
}

} // namespace

void add_config_command(CLI::App& app, action& chosen) {
  auto* command =
    app.add_subcommand("config", "Print all settings with defaults, or CONFIG resolved");
  command->footer("Examples:\n"
                  "  troupe config\n"
                  "  troupe config configs/quickstart.toml\n"
                  "  troupe config configs/quickstart.toml --set architecture=statesync");
  auto input = std::make_shared<settings_input>();
  add_settings_options(*command, *input);
  command->callback([&chosen, input] { chosen = [input] { return print_config(*input); }; });
}

} // namespace troupe
