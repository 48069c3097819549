#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace troupe {

/// Limits the growth of a log whose lines other processes can cause: of each kind of line, the
/// first few per interval are written, and the others are counted.
class log_limit {
public:
  using time = std::chrono::steady_clock::time_point;

  /// At most `most` lines of a kind per `interval`, which begins with the first of them.
  log_limit(std::uint32_t most, std::chrono::seconds interval) : most_(most), interval_(interval) {}

  /// Returns whether a line of that kind is to be written now; counts it if not.
  bool admits(const std::string& kind, time now);

  /// Returns the kinds of lines that were left out in past intervals, with their numbers.
  std::vector<std::pair<std::string, std::uint64_t>> take_left_out(time now);

private:
  struct counts {
    time since{};
    std::uint32_t written = 0;
    std::uint64_t left_out = 0;
  };

  std::uint32_t most_;
  std::chrono::seconds interval_;
  std::map<std::string, counts> kinds_;
};

} // namespace troupe
