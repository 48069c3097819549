#pragma once

#include "settings/schema/settings.hpp"
#include "workload/traces/trace_job.hpp"
#include "workload/traces/trace_tally.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace troupe {

/// Reads the jobs of a trace of any format in memory that does not grow with the file.
///
/// Unusable rows are skipped and counted by reason. Some of them are malformed; a trace with more
/// than 1 % malformed rows, or without rows, is refused. Rows outside the window or the sample are
/// not malformed.
class trace_reader {
public:
  virtual ~trace_reader() = default;

  /// Writes the next job to `job`, whose storage it reuses; returns false at the end. Throws
  /// `std::runtime_error` with file and line if the trace is refused, cannot be read, or has no job
  /// in the window.
  virtual bool next(trace_job& job) = 0;

  /// The counts so far.
  virtual const trace_tally& tally() const = 0;

  /// The number of uncompressed bytes of text read so far.
  virtual std::uint64_t bytes() const = 0;

  /// The numbers of rows read so far by kind, if there are several kinds.
  virtual std::map<std::string, std::uint64_t> events() const { return {}; }

  /// Returns whether jobs come in the order of submission.
  virtual bool in_order() const { return true; }

  /// Call it at the end. If jobs were incomplete because their rows are too far apart, returns a
  /// reader of the same trace that handles this; else null.
  virtual std::unique_ptr<trace_reader> regrouped() { return nullptr; }

  /// Returns whether tasks may wait for others of their job.
  virtual bool has_dependencies() const { return false; }
};

/// Opens a trace of the format that `settings.format` names, or whose format is detected. Its jobs
/// come in the order of the file, which may differ from that of submission. Throws
/// `std::runtime_error` if the file is missing or its format is unknown.
std::unique_ptr<trace_reader> open_trace(const std::string& path, const trace_settings& settings);

/// The same; jobs come in the order of submission.
std::unique_ptr<trace_reader> open_sorted_trace(const std::string& path,
                                                const trace_settings& settings);

} // namespace troupe
