#pragma once

#include "settings/schema/settings.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace troupe {

/// The source of settings: a file, and overrides on the command line.
struct settings_input {
  std::string file;
  std::vector<std::string> overrides; ///< "key=value" each
  std::vector<std::string> plugins{}; ///< paths of libraries, in addition to those in the file
};

/// Adds the option --plugin to `command`; `plugins` must outlive it.
void add_plugin_option(CLI::App& command, std::vector<std::string>& plugins);

/// Loads `plugins`. Throws `usage_error` if one cannot be used.
void load_plugins(const std::vector<std::string>& plugins);

/// Loads `plugins` and returns `overrides` with one more for each, so that settings that are read
/// with them name the plugins as well. Throws `usage_error` if one cannot be used.
std::vector<std::string> with_plugins(std::vector<std::string> overrides,
                                      const std::vector<std::string>& plugins);

/// Adds the argument CONFIG and the options --set and --plugin to `command`; `input` must outlive
/// it.
void add_settings_options(CLI::App& command, settings_input& input);

/// What settings are read for.
enum class settings_use {
  run,     ///< a run of this process
  cluster, ///< a cluster of nodes, which may have jobs of clients
};

/// Reads the settings and checks that the files that they name can be read. Throws `usage_error` if
/// anything is wrong with them.
run_settings read_input(const settings_input& input, settings_use use = settings_use::run);

} // namespace troupe
