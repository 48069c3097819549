#pragma once

#include "model/metrics/results.hpp"
#include "model/records/records.hpp"
#include "report/records/gzip_file.hpp"
#include "report/records/record_rows.hpp"
#include "report/records/record_text.hpp"

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// Writes `jobs.csv.gz`, `tasks.csv.gz` (if tasks are recorded) and `attempts.csv.gz` while a run
/// goes on. Until its end they are `jobs.partial.csv.gz` and so on, in its results directory;
/// `results_directory::write` gives them their names. A file that cannot be written, as on a full
/// disk, is given up, and the log says so.
class record_writer {
public:
  /// Creates the files, with their headers, with the first call of `add`.
  explicit record_writer(std::filesystem::path directory);

  /// Adds rows, in their order.
  void add(const record_batch& records, const run_results& so_far);

  /// Writes all added rows to the files.
  void flush();

  /// Ends the files and records their paths in the results of the run.
  void finish(run_results& results);

  /// The names of the files that could not be written to their end.
  std::vector<std::string> incomplete() const;

  /// The name of a file until the end of its run: "jobs.partial.csv.gz" for "jobs.csv.gz".
  static std::string partial_name(std::string_view name);

private:
  struct file {
    std::string_view name;
    std::optional<gzip_file> out{};
    std::filesystem::path path{};
    record_text rows{};
    bool given_up = false;
  };

  void open(const run_results& so_far);
  void open(file& what, std::string_view header);
  template <class Record>
  void add_rows(file& to, const std::vector<Record>& records);
  void save(file& what);

  std::filesystem::path directory_;
  std::optional<record_names> names_;
  std::array<file, 3> files_;
};

} // namespace troupe
