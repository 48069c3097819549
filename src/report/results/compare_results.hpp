#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace troupe {

/// The first place where two runs' results differ within one file.
struct results_difference {
  std::string file;  ///< name within the directory
  std::string place; ///< "line 7", a JSON pointer such as "/tasks/placed", or "" for the whole file
  std::string first; ///< the value in the first directory
  std::string second; ///< the value in the second directory
};

/// Renders as "summary.json, /tasks/placed: 38046 in the first, 38045 in the second".
std::string to_string(const results_difference& difference);

/// Compares the files of two directories, byte by byte except the `host` parts of
/// `summary.json` and `report.html`; the latter need not be in both.
/// Returns the first difference of each file that differs, in the order of the files' names;
/// nothing if the results are equal. Throws `std::runtime_error` with a message for the user if a
/// directory has no `summary.json` or a file cannot be read.
std::vector<results_difference> compare_results(const std::filesystem::path& first,
                                                const std::filesystem::path& second);

} // namespace troupe
