#pragma once

#include "report/progress/progress.hpp"

#include <chrono>
#include <cstdint>
#include <mutex>
#include <ostream>
#include <string>

namespace troupe {

/// Shows how many seeds of a hunt are done, how many a second, and the time left. For any thread.
class seed_progress {
public:
  using clock = std::chrono::steady_clock;

  /// `seeds` is their number. Writes progress to `progress` and findings to `findings`, which may
  /// be the same terminal.
  seed_progress(std::uint64_t seeds, std::ostream& progress, std::ostream& findings,
                progress_style style, clock::time_point now = clock::now());

  /// Notes that a seed is done at `now`. Prints `finding` as a line of its own unless it is empty.
  void done(const std::string& finding, clock::time_point now = clock::now());

  /// Removes the line of progress from a terminal.
  void clear();

private:
  std::string line(double seconds) const;
  void erase();

  std::mutex mutex_;
  std::uint64_t total_;
  std::ostream* progress_;
  std::ostream* findings_;
  progress_style style_;
  std::uint64_t done_ = 0;
  clock::time_point began_;
  clock::time_point shown_;
  bool open_ = false;
};

} // namespace troupe
