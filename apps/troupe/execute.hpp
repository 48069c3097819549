#pragma once

#include "model/results.hpp"
#include "report/results_directory.hpp"
#include "settings/settings.hpp"

#include <filesystem>
#include <functional>
#include <optional>

namespace troupe {

/// Makes `path` ready for results. Throws `usage_error` if it cannot hold them.
results_directory open_results(const std::filesystem::path& path);

/// Returns whether `path` holds the results of a run with other settings than `config`, their whole
/// text.
bool holds_other_results(const std::filesystem::path& path, const std::string& config);

/// Returns the first of `path`, "path.2", "path.3", ... that holds no results of other settings
/// than `config`.
std::filesystem::path without_other_results(const std::filesystem::path& path,
                                            const std::string& config);

/// Asked often in real time for settings to take policies from; mostly gives nothing.
using settings_reload = std::function<std::optional<run_settings>()>;

/// Runs a cluster until its end or the first SIGINT or SIGTERM. Unless `quiet`, shows progress on
/// stderr.
run_results run_watched(const run_settings& settings, const results_directory& to, bool quiet,
                        settings_reload reload = {});

/// Returns the program's exit code after a run: a failed self-check counts before a signal.
int exit_code_of(const run_results& results);

/// Writes the results, and says where they are, unless `quiet`; if they could not be written there,
/// where they have been kept instead, or at the worst what summary.json would hold. Returns whether
/// they are where they belong.
bool report_where(const results_directory& wanted, const run_results& results,
                  const std::string& config, bool quiet = false);

} // namespace troupe
