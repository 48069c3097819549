#pragma once

#include "experiments/expectations/experiment.hpp"
#include "settings/schema/settings.hpp"
#include "settings/schema/varied_setting.hpp"
#include "support/output_format.hpp"
#include "support/result_files.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace troupe {

/// The options that `sweep` and `find` share: settings, the varied ones, and the place for results.
struct variation_options {
  std::string file;
  std::vector<std::string> set;
  std::vector<std::string> vary;
  std::uint64_t seeds = 0; ///< 0: not given
  output_format format = output_format::table;
  std::string out;
  bool fresh = false; ///< ignore earlier results
};

/// Adds all of them to `command`; `options` must outlive it.
void add_variation_options(CLI::App& command, variation_options& options,
                           const std::string& vary_meaning, const std::string& seeds_meaning);

/// Returns the settings without the varied ones. Throws `usage_error`.
run_settings base_settings(const variation_options& options);

/// Refuses a seed in `set`, the values of --set of `command`, whose runs have seeds 1 to N. Throws
/// `usage_error`.
void refuse_seed(const std::string& command, const std::vector<std::string>& set);

/// Checks the settings of every run of `plans`, and of a search at both ends. Throws `usage_error`
/// with the message of `troupe run` for the first that cannot be used.
void check_plans(const std::vector<planned_run>& plans);

/// Refuses a value, an expression over "{path}" in summary.json, that no run of `plans` can have;
/// `option` is the option that the user gave it with. Throws `usage_error`.
void check_value(const std::vector<planned_run>& plans, const std::string& option,
                 const std::string& value);

/// Keeps --out, or else `command`/NAME in results, as `hold_directory` does.
held_directory results_of(const variation_options& options, const std::string& command,
                          const std::string& name);

/// Tells the user how to go on after SIGINT or SIGTERM, and returns the exit code.
int end_interrupted();

} // namespace troupe
