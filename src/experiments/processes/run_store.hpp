#pragma once

#include "experiments/processes/launcher.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace troupe {

/// The directory for the results of many runs, each in its own folder with a stamp beside it. The
/// stamp identifies the program that made them, so that the results can be reused.
class run_store {
public:
  /// Keeps results in `directory`. `program` identifies the version of the program.
  run_store(std::filesystem::path directory, std::string program);

  std::filesystem::path folder_of(const run_request& request) const;

  /// Returns the results of an earlier run by the same program with the same settings; nothing if
  /// there was none, or if it failed.
  std::optional<run_reply> find(const run_request& request) const;

  /// Prepares the folder for the results of a run: results of an earlier run lose their stamp and
  /// summary.
  void clear(const run_request& request) const;

  /// Returns the summary that a run has written, with its settings under "config" and the rows of
  /// timeseries.csv under "series"; null if there is none.
  nlohmann::ordered_json load(const run_request& request) const;

  /// Stamps the results of a successful run.
  void keep(const run_request& request) const;

private:
  std::filesystem::path stamp_of(const run_request& request) const;

  std::filesystem::path directory_;
  std::string program_;
};

/// Removes the stamps of all runs in and below `directory`, if it is there: no results are reused.
void forget_runs(const std::filesystem::path& directory);

/// Identifies the program in `file` by its size and a checksum (CRC-32) of its bytes.
std::string identity_of_program(const std::filesystem::path& file);

} // namespace troupe
