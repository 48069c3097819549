#pragma once

#include "settings/settings.hpp"
#include "workload/trace_job.hpp"
#include "workload/trace_tally.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace troupe {

/// Reads the jobs of a trace, whatever its format, in memory that does not grow with the file.
///
/// Rows that cannot be used are left out and counted by reason. Some are malformed; a trace in
/// which more than 1 % of the rows are is refused, and so is one without rows. Rows outside of the
/// window or the sample are not malformed.
class trace_reader {
public:
  virtual ~trace_reader() = default;

  /// Puts the next job into `job`, whose storage it uses again; returns false at the end. Throws
  /// `std::runtime_error` that names file and line if the trace is refused, cannot be read, or has
  /// no job in the window.
  virtual bool next(trace_job& job) = 0;

  /// What has been counted so far.
  virtual const trace_tally& tally() const = 0;

  /// How many bytes of text have been read so far, unpacked.
  virtual std::uint64_t bytes() const = 0;

  /// What the rows read so far were, where they are of several kinds.
  virtual std::map<std::string, std::uint64_t> events() const { return {}; }

  /// Whether jobs come in the order in which they are submitted.
  virtual bool in_order() const { return true; }

  /// To be asked when there is no next job. If the jobs were not whole, as their rows stand too far
  /// apart, returns a reader of the same trace that copes with that; else null.
  virtual std::unique_ptr<trace_reader> regrouped() { return nullptr; }

  /// Whether tasks may have to wait for others of their job.
  virtual bool has_dependencies() const { return false; }
};

/// Opens a trace of the format that `settings.format` names, or that is recognised. Its jobs come
/// in the order of the file, which need not be that of submission. Throws `std::runtime_error` if
/// there is no such file, or what it holds is not recognised.
std::unique_ptr<trace_reader> open_trace(const std::string& path, const trace_settings& settings);

/// The same; jobs come in the order of submission.
std::unique_ptr<trace_reader> open_sorted_trace(const std::string& path,
                                                const trace_settings& settings);

} // namespace troupe
