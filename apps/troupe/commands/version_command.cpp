#include "commands/commands.hpp"
#include "support/json_output.hpp"

#include <CLI/CLI.hpp>
#include <boost/version.hpp>
#include <caf/config.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>
#include <string>

namespace troupe {

namespace {

constexpr int caf_version = CAF_VERSION;
constexpr int boost_version = BOOST_VERSION;

/// Returns "1.74.0" for the number of a version whose parts are worth `first`, 100 and 1.
std::string version_text(int version, int first) {
  return std::to_string(version / first) + '.' + std::to_string(version / 100 % 100) + '.' +
         std::to_string(version % 100);
}

int print_version(bool as_json) {
  if (as_json) {
    print_json({{"version", TROUPE_VERSION},
                {"build", TROUPE_BUILD_TYPE},
                {"caf", version_text(caf_version, 10000)},
                {"boost", version_text(boost_version, 100000)},
                {"compiler", std::string{"GCC "} + __VERSION__}});
    return exit_code::done;
  }
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
  auto as_json = std::make_shared<bool>(false);
  add_json_option(*command, *as_json);
  command->callback([&chosen, as_json] { chosen = [as_json] { return print_version(*as_json); }; });
}

} // namespace troupe
