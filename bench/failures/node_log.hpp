#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace troupe::trials {

/// A line of a node's log.
struct log_line {
  std::chrono::milliseconds at{0}; ///< since midnight, local time
  std::string text;                ///< after the time and the level
};

/// Returns the lines that begin with a time.
std::vector<log_line> read_log(const std::filesystem::path& file);

/// Returns the time from `moment` to a line of the log: negative if the line is earlier; at most
/// half a day.
std::chrono::milliseconds time_after(std::chrono::system_clock::time_point moment,
                                     const log_line& line);

/// Returns the time from `moment` to the first later line that contains `part`.
std::optional<std::chrono::milliseconds> first_after(const std::vector<log_line>& log,
                                                     std::chrono::system_clock::time_point moment,
                                                     const std::string& part);

} // namespace troupe::trials
