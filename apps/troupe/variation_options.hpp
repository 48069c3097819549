#pragma once

#include "experiments/experiment.hpp"
#include "settings/settings.hpp"
#include "settings/varied_setting.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace troupe {

/// Settings, what varies in them, and where results go: what `sweep` and `find` have in common.
struct variation_options {
  std::string file;
  std::vector<std::string> set;
  std::vector<std::string> vary;
  std::uint64_t seeds = 0; ///< 0: not given
  std::string format = "table";
  std::string out;
  bool fresh = false; ///< use no earlier results
};

/// Adds all of them to `command`; `options` must outlive it.
void add_variation_options(CLI::App& command, variation_options& options,
                           const std::string& vary_meaning, const std::string& seeds_meaning);

/// Returns the settings without what varies. Throws `usage_error`.
run_settings base_settings(const variation_options& options);

/// Reads the settings of every run of `plans`, of a search at both ends. Throws `usage_error` for
/// the first that cannot be used, with what `troupe run` would say.
void check_plans(const std::vector<planned_run>& plans);

/// Refuses a value, an expression over "{path}" in summary.json, that no run of `plans` can have;
/// `option` is what the user gave it as. Throws `usage_error`.
void check_value(const std::vector<planned_run>& plans, const std::string& option,
                 const std::string& value);

/// Returns --out, or else `kind`/NAME in results.
std::filesystem::path results_of(const variation_options& options, const std::string& kind,
                                 const std::string& name);

/// Returns the exit code after SIGINT or SIGTERM, having told the user how to go on.
int end_interrupted();

} // namespace troupe
