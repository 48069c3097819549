#pragma once

#include "model/time.hpp"
#include "settings/settings.hpp"
#include "workload/text_reader.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// One job of a trace.
struct trace_row {
  instant submitted{0};            ///< since the start of the window
  duration estimate{0};            ///< the row's mean; 0 where it says 0
  std::uint32_t tasks = 0;         ///< at least 1
  std::vector<duration> durations; ///< one entry if all are alike, else one per task; at least 1 ns
};

/// Reads a trace in the `.tr` format of the Sparrow, Hawk, Eagle and Pigeon simulators: a row for
/// each job, `submit_s num_tasks mean_s d1 d2 ... dn`, sorted by submit time, fields separated by
/// any number of spaces or tabs. Blank lines and lines that start with # are no rows.
///
/// Rows that cannot be used are skipped and counted by reason. A row that is submitted earlier
/// than the one before it is malformed too: it is left out, not moved. Rows outside the window are
/// not malformed, and only their submit time is looked at.
class trace_reader {
public:
  /// Of `settings`, takes the window and the speedup: `from` and `to` (exclusive) are times of the
  /// trace; what is submitted at `from` comes out at 0; the speedup divides submit times and
  /// leaves durations alone. Throws like `text_reader`.
  trace_reader(const std::string& path, const trace_settings& settings);

  /// Puts the next usable row into `row`, whose storage it uses again; returns false at the end.
  /// Throws `std::runtime_error`, naming the first malformed row, if more than 1 % of the rows are
  /// malformed, judged from the 1,000th row on and at the end; at the end also if there are no
  /// rows at all, or none in the window. Throws like `text_reader` as well.
  bool next(trace_row& row);

  /// Returns how many rows have been skipped so far, by reason, those outside the window included.
  const std::map<std::string, std::uint64_t>& skipped() const { return skipped_; }

  /// Returns how many bytes of text have been read so far.
  std::uint64_t bytes() const { return text_.bytes(); }

private:
  bool read_row(std::string_view line, trace_row& row);
  bool malformed(const char* reason, const std::string& detail);
  void refuse_if_mostly_malformed() const;
  void check_end() const;

  text_reader text_;
  trace_settings settings_;
  duration last_{0}; ///< submit time of the latest row used, as the trace has it
  std::uint64_t rows_ = 0;
  std::uint64_t used_ = 0;
  std::uint64_t malformed_ = 0;
  std::string first_malformed_; ///< where it is and what is wrong with it
  std::map<std::string, std::uint64_t> skipped_;
};

} // namespace troupe
