#pragma once

#include "model/base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>

namespace troupe {

/// The progress of a run.
struct run_progress {
  instant now{0};          ///< simulated time, or time since the start
  duration length{0};      ///< of the whole run; 0: the workload determines it
  double wall_seconds = 0; ///< since the start, by the wall clock
  std::uint64_t placed = 0;
  std::uint64_t finished = 0;
  std::uint64_t conflicts = 0;
  std::uint64_t queued = 0;
};

/// The most columns of a line of progress on a terminal.
inline constexpr std::size_t progress_width = 79;

/// The style of progress lines.
enum class progress_style {
  refreshed, ///< one line of at most 79 columns, written over itself: for a terminal
  /// A new line at intervals: for a file or a pipe. If the length is unknown, only while tasks are
  /// queued or something has happened.
  plain,
};

/// Shows the progress of a run: simulated time, speed against real time, tasks placed, tasks per
/// second of wall time, conflicts, tasks queued, time left. Speeds are measured since the previous
/// line. The class reads no clock: each `run_progress` carries the time.
class progress_printer {
public:
  /// Writes to `out`, which must outlive the printer. Lines are at least `interval` of wall time
  /// apart.
  progress_printer(std::ostream& out, progress_style style, duration interval);

  /// As above, with an interval that suits the style: 100 ms, or 5 s.
  progress_printer(std::ostream& out, progress_style style);

  /// Shows `at` unless the previous line is too recent. May be called at any rate.
  void update(const run_progress& at);

  /// Shows `at` in any case, and ends the line.
  void finish(const run_progress& at);

private:
  bool is_news(const run_progress& at) const;
  void show(const run_progress& at);
  std::string line(const run_progress& at) const;

  std::ostream& out_;
  progress_style style_;
  duration interval_;
  run_progress shown_; ///< shown by the previous line
  bool finished_ = false;
};

} // namespace troupe
