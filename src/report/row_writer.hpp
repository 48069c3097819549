#pragma once

#include "model/results.hpp"
#include "report/results_directory.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// Writes the rows of `timeseries.csv` and `tenants.csv` as they come, so that a run of any length
/// keeps none of them and one that is killed leaves them: in `timeseries.partial.csv` and
/// `tenants.partial.csv` of its results directory, of which `results_directory::write` makes the
/// files themselves. Each file holds whole rows only after each `flush`.
///
/// Results of an earlier run in that directory stay until then. Where a file cannot be written, as
/// on a full disk, it goes on among the temporary files of the host; where it cannot there either,
/// the remaining rows are left out, and the log says so.
class row_writer {
public:
  /// Writes nothing before the first row.
  explicit row_writer(const results_directory& to) : directory_(to.path()) {}

  /// Adds a row. `so_far` says what run it is of, and which policies were changed before.
  void add(const interval_record& row, const run_results& so_far);
  void add(const tenant_record& row, const run_results& so_far);

  /// Flushes what was added to the files.
  void flush();

  /// Likewise, if that was not done for a second of the host's time.
  void flush_now_and_then();

  /// Ends the files, and says in the results of the run, which must be complete otherwise, where
  /// they are.
  void finish(run_results& results);

private:
  struct file {
    std::string_view name;
    std::filesystem::path path{};
    std::ofstream out{};
    std::string pending{};   ///< rows that are not in the file yet
    std::uintmax_t size = 0; ///< of the rows that are
    bool given_up = false;

    bool opened() const { return !path.empty(); }
  };

  void put(file& to, const std::string& rows);
  void save(file& what);
  bool write_pending(file& what);
  bool go_elsewhere(file& what);

  std::filesystem::path directory_;
  file series_{results_directory::partial_timeseries_name};
  file tenants_{results_directory::partial_tenants_name};
  bool tells_policies_ = false; ///< the last column of `series_`
  std::chrono::steady_clock::time_point flushed_ = std::chrono::steady_clock::now();
};

} // namespace troupe
