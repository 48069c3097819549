#pragma once

#include "settings/settings.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace troupe {

/// Where settings come from: a file, and what the command line overrides.
struct settings_input {
  std::string file;
  std::vector<std::string> overrides; ///< "key=value" each
  std::vector<std::string> plugins{}; ///< paths of libraries, beside those that the file names
};

/// Adds the option --plugin to `command`; `plugins` must outlive it.
void add_plugin_option(CLI::App& command, std::vector<std::string>& plugins);

/// Loads `plugins`. Throws `usage_error` if one cannot be used.
void load_plugins(const std::vector<std::string>& plugins);

/// Loads `plugins` and returns `overrides` with one more for each, so that settings which are read
/// with these name them as well. Throws `usage_error` if one cannot be used.
std::vector<std::string> with_plugins(std::vector<std::string> overrides,
                                      const std::vector<std::string>& plugins);

/// Adds the argument CONFIG and the options --set and --plugin to `command`; `input` must outlive
/// it.
void add_settings_options(CLI::App& command, settings_input& input);

/// Reads the settings and probes the files that they name. Throws `usage_error` if anything is
/// wrong with them.
run_settings read_input(const settings_input& input);

} // namespace troupe
