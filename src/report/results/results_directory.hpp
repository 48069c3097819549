#pragma once

#include "model/metrics/results.hpp"
#include "report/results/directory_lock.hpp"

#include <filesystem>
#include <stdexcept>
#include <string_view>

namespace troupe {

/// Results cannot be written, as there is no room on the disk. what() is a message for the user.
struct disk_full : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The directory for the results of one run.
class results_directory {
public:
  static constexpr std::string_view summary_name = "summary.json";
  static constexpr std::string_view timeseries_name = "timeseries.csv";
  static constexpr std::string_view config_name = "config.toml";
  static constexpr std::string_view tenants_name = "tenants.csv";
  static constexpr std::string_view delays_name = "delays.csv";
  static constexpr std::string_view events_name = "events.csv";
  static constexpr std::string_view schedulers_name = "schedulers.csv";
  static constexpr std::string_view partitions_name = "partitions.csv";
  static constexpr std::string_view report_name = "report.html";
  /// Records of jobs, tasks and refused placements (docs/records.md).
  static constexpr std::string_view jobs_name = "jobs.csv.gz";
  static constexpr std::string_view tasks_name = "tasks.csv.gz";
  static constexpr std::string_view attempts_name = "attempts.csv.gz";
  /// Rows of a run that continues, or was killed.
  static constexpr std::string_view partial_timeseries_name = "timeseries.partial.csv";
  static constexpr std::string_view partial_tenants_name = "tenants.partial.csv";

  /// Returns whether a file of this name is one of a run's results.
  static bool is_own(std::string_view name);

  /// Removes the results of a run that has ended in `path`. Without a summary of a run, the files
  /// belong to another program and stay, like all other files.
  static void clear(const std::filesystem::path& path);

  /// Creates the directory and its parents. Call it before a run starts. A directory with the
  /// results of another run is accepted, and these stay until `write`. Throws `std::runtime_error`
  /// with a message for the user if the directory cannot be created or written to, or contains
  /// anything but a run's results; `disk_full` if that is the cause.
  explicit results_directory(std::filesystem::path path);

  /// The same, and keeps `held`, the lock of `path`, as long as it exists.
  results_directory(std::filesystem::path path, directory_lock held);

  /// What cannot be written here is not kept at any other place: somebody can repeat the run.
  void stay_here() { stays_here_ = true; }
  bool stays_here() const { return stays_here_; }

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path summary() const { return path_ / summary_name; }
  std::filesystem::path timeseries() const { return path_ / timeseries_name; }
  std::filesystem::path config() const { return path_ / config_name; }

  /// The file for the tenants' shares over time, if there are several tenants.
  std::filesystem::path tenants() const { return path_ / tenants_name; }

  /// The file for the distribution of scheduling delays.
  std::filesystem::path delays() const { return path_ / delays_name; }

  /// The file for failures and takeovers, if there are any.
  std::filesystem::path events() const { return path_ / events_name; }

  /// The file for the page with the plots. `write` does not write it, and removes that of an
  /// earlier run.
  std::filesystem::path report() const { return path_ / report_name; }

  /// Writes `summary.json`, `timeseries.csv`, `delays.csv`, `config.toml` and, if there are several
  /// tenants or failures, `tenants.csv` and `events.csv`, which it removes otherwise. Files of
  /// records get their names; those of an earlier run are removed. Each file is written atomically.
  /// `config` is the text of the settings as used. Throws `std::runtime_error` with a message for
  /// the user if a file cannot be written.
  void write(const run_results& results, std::string_view config) const;

private:
  std::filesystem::path path_;
  directory_lock held_;
  bool stays_here_ = false;
};

} // namespace troupe
