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

/// Asked often in real time for settings to take policies from; mostly gives nothing.
using settings_reload = std::function<std::optional<run_settings>()>;

/// Runs a cluster until its end or the first SIGINT or SIGTERM. Unless `quiet`, shows progress on
/// stderr.
run_results run_watched(const run_settings& settings, bool quiet, settings_reload reload = {});

/// Returns the program's exit code after a run: a failed self-check counts before a signal.
int exit_code_of(const run_results& results);

} // namespace troupe
