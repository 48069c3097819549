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
};

/// Adds the argument CONFIG and the option --set to `command`; `input` must outlive it.
void add_settings_options(CLI::App& command, settings_input& input);

/// Reads the settings and probes the files that they name. Throws `usage_error` if anything is
/// wrong with them.
run_settings read_input(const settings_input& input);

} // namespace troupe
