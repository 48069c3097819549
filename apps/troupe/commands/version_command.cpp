#include "commands/commands.hpp"

#include <CLI/CLI.hpp>
#include <boost/version.hpp>
#include <caf/config.hpp>

#include <cstdio>

namespace troupe {

namespace {

constexpr int caf_version = CAF_VERSION;
constexpr int boost_version = BOOST_VERSION;

int print_version() {
  std::printf("troupe %s (%s)\n", TROUPE_VERSION, TROUPE_BUILD_TYPE);
  std::printf("CAF %d.%d.%d, Boost %d.%d.%d, GCC %s\n", caf_version / 10000,
              caf_version / 100 % 100, caf_version % 100, boost_version / 100000,
              boost_version / 100 % 1000, boost_version % 100, __VERSION__);
  return exit_code::done;
}

} // namespace

void add_version_command(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("version", "Print the versions of Troupe and its libraries");
  command->footer("Examples:\n  troupe version");
  command->callback([&chosen] { chosen = print_version; });
}

} // namespace troupe
