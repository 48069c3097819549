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

/// Returns how long after `moment` a line of the log came: negative, if before; at most half a day.
std::chrono::milliseconds time_after(std::chrono::system_clock::time_point moment,
                                     const log_line& line);

/// Returns when, after `moment`, a line that contains `part` came first.
std::optional<std::chrono::milliseconds> first_after(const std::vector<log_line>& log,
                                                     std::chrono::system_clock::time_point moment,
                                                     const std::string& part);

} // namespace troupe::trials
