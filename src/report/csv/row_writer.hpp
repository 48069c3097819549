#pragma once

#include "model/metrics/results.hpp"
#include "report/records/record_writer.hpp"
#include "report/results/results_directory.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// Writes the rows of `timeseries.csv` and `tenants.csv` as they come, so that a run keeps none of
/// them in memory and a killed run leaves them on disk. They go to `timeseries.partial.csv` and
/// `tenants.partial.csv` in its results directory; `results_directory::write` makes the final files
/// from these. After each `flush` a file has complete rows only.
///
/// Results of an earlier run in that directory stay until then. If a file cannot be written, as on
/// a full disk, it continues in the directory for temporary files, unless results stay in theirs.
/// If that fails too, the remaining rows are dropped, and the log says so.
class row_writer {
public:
  /// Writes nothing before the first row.
  explicit row_writer(const results_directory& to)
    : directory_(to.path()), stays_here_(to.stays_here()), records_(to.path()) {}

  /// Adds a row. `so_far` identifies the run and has the earlier changes of policies.
  void add(const interval_record& row, const run_results& so_far);
  void add(const tenant_record& row, const run_results& so_far);

  /// Adds the rows of records of jobs and tasks.
  void add(const record_batch& records, const run_results& so_far) {
    records_.add(records, so_far);
  }

  /// Flushes the added rows to the files.
  void flush();

  /// The same, if the last flush was at least a second of the host's time ago.
  void flush_now_and_then();

  /// Writes the added rows of records, for a reader during the run. It makes the compressed files
  /// larger, and their bytes depend on when it is called.
  void flush_records() { records_.flush(); }

  /// Ends the files and records their paths in the results of the run, which must be complete
  /// otherwise.
  void finish(run_results& results);

  /// The names of the files that could not be written to their end.
  std::vector<std::string> incomplete() const;

private:
  struct file {
    std::string_view name;
    std::filesystem::path path{};
    std::ofstream out{};
    std::string pending{};   ///< rows not yet in the file
    std::uintmax_t size = 0; ///< of the rows in the file
    bool given_up = false;

    bool opened() const { return !path.empty(); }
  };

  void put(file& to, const std::string& rows);
  void save(file& what);
  bool write_pending(file& what);
  bool go_elsewhere(file& what);

  std::filesystem::path directory_;
  bool stays_here_;
  record_writer records_;
  file series_{results_directory::partial_timeseries_name};
  file tenants_{results_directory::partial_tenants_name};
  bool tells_policies_ = false; ///< whether `series_` has the last column
  std::chrono::steady_clock::time_point flushed_ = std::chrono::steady_clock::now();
};

} // namespace troupe
