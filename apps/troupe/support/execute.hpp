#pragma once

#include "model/metrics/results.hpp"
#include "report/results/keep_results.hpp"
#include "report/results/results_directory.hpp"
#include "settings/schema/settings.hpp"

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

class live_run;
class timeline;

/// Prepares `path` for results, and keeps it from other processes. Throws `usage_error` if it
/// cannot hold results, or if another process still uses it after `patience`; `disk_full` as it is.
results_directory open_results(const std::filesystem::path& path,
                               std::chrono::milliseconds patience = std::chrono::milliseconds{0});

/// Returns whether `path` holds the results of a run with settings other than `config`, which is
/// their whole text.
bool holds_other_results(const std::filesystem::path& path, const std::string& config);

/// Opens the first of `path`, "path.2", "path.3", ... that no other process uses and, unless
/// `overwrite`, that holds no results of settings other than `config`. Says so on stderr if it is
/// not `path`. Throws `usage_error` like `open_results`.
results_directory open_free_results(const std::filesystem::path& path, const std::string& config,
                                    bool overwrite);

/// Called often in real time. Returns settings with new policies; usually nothing.
using settings_reload = std::function<std::optional<run_settings>()>;

/// A run that has ended.
struct ended_run {
  run_results results;
  bool complete = true; ///< whether all of its files could be written to their ends
};

/// Runs a cluster until its end or the first SIGINT or SIGTERM. Unless `quiet`, shows progress on
/// stderr. Adds to `drawn`, if it is not null, all that a timeline shows; `live`, if it is not
/// null, shows the run meanwhile.
ended_run run_watched(const run_settings& settings, const results_directory& to, bool quiet,
                      settings_reload reload = {}, timeline* drawn = nullptr,
                      live_run* live = nullptr);

/// Returns the program's exit code after a run: a failed self-check, or a file that is incomplete,
/// takes precedence over a signal.
int exit_code_of(const ended_run& run);

/// Says on stderr that these files are incomplete. Returns whether there are none.
bool tell_incomplete(const std::vector<std::string>& files);

/// How `report_where` reports.
struct result_output {
  bool quiet = false;
  bool on_stdout = true; ///< otherwise, nothing is printed to standard output
  bool page = true;      ///< write `report.html`, too
  std::string text{};    ///< printed before, unless quiet, to standard output
  std::string what = "results";
};

/// Writes the results and, unless quiet, then prints the text and their place. If they could not be
/// written there, prints the other place where they were kept or, if there is none, the content of
/// summary.json. Returns where they are.
kept_results report_where(const results_directory& wanted, const run_results& results,
                          const std::string& config, const result_output& output = {});

} // namespace troupe
