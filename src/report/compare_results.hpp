#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace troupe {

/// The first place where two runs' results differ within one file.
struct results_difference {
  std::string file;   ///< name within the directory
  std::string place;  ///< "line 7", a JSON pointer such as "/tasks/placed", or "" for all of it
  std::string first;  ///< what the first directory has there
  std::string second; ///< what the second one has there
};

/// Renders as "summary.json, /tasks/placed: 38046 in the first, 38045 in the second".
std::string to_string(const results_difference& difference);

/// Compares the files of two directories, byte by byte but for the `host` part of `summary.json`,
/// and returns the first difference of each file that differs, in the order of the files' names;
/// nothing if the results are the same. Throws `std::runtime_error` with a message for the user if
/// a directory has no `summary.json` or a file cannot be read.
std::vector<results_difference> compare_results(const std::filesystem::path& first,
                                                const std::filesystem::path& second);

} // namespace troupe
