#pragma once

#include "experiments/launcher.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace troupe {

/// The directory that keeps the results of many runs, each in a folder of its own with a stamp
/// beside it. The stamp says which program made them, so that they can be used again.
class run_store {
public:
  /// Keeps results in `directory`. `program` identifies the version of the program.
  run_store(std::filesystem::path directory, std::string program);

  std::filesystem::path folder_of(const run_request& request) const;

  /// Returns what an earlier run by the same program with the same settings gave; nothing if there
  /// was none, or if it failed.
  std::optional<run_reply> find(const run_request& request) const;

  /// Makes place for the results of a run: those of an earlier one lose their stamp and summary.
  void clear(const run_request& request) const;

  /// Returns the summary that a run has left, with its settings under "config" and the rows of
  /// timeseries.csv under "series"; null if there is none.
  nlohmann::ordered_json load(const run_request& request) const;

  /// Stamps the results of a run that has ended well.
  void keep(const run_request& request) const;

private:
  std::filesystem::path stamp_of(const run_request& request) const;

  std::filesystem::path directory_;
  std::string program_;
};

/// Identifies the program in `file` by its size and a checksum (CRC-32) of its bytes.
std::string identity_of_program(const std::filesystem::path& file);

} // namespace troupe
