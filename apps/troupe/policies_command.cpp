#include "commands.hpp"
#include "policies/registry.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>

namespace troupe {

namespace {

int print_policies() {
  for (const auto& policy : builtin_policies())
    std::printf("%-15.*s %.*s\n", static_cast<int>(policy.name.size()), policy.name.data(),
                static_cast<int>(policy.summary.size()), policy.summary.data());
  return exit_code::done;
}

} // namespace

void add_policies_command(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("policies", "List the placement policies");
  command->footer("Examples:\n"
                  "  troupe policies\n"
                  "  troupe run configs/quickstart.toml --set scheduler.policy=quality-first");
  command->callback([&chosen] { chosen = print_policies; });
}

} // namespace troupe
