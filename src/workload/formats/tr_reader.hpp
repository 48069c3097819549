#pragma once

#include "workload/traces/text_reader.hpp"
#include "workload/traces/trace_reader.hpp"
#include "workload/traces/trace_window.hpp"

namespace troupe {

/// Reads a trace in the `.tr` format of the Sparrow, Hawk, Eagle and Pigeon simulators: a row for
/// each job, `submit_s num_tasks mean_s d1 d2 ... dn`, sorted by submit time, fields separated by
/// any number of spaces or tabs. Blank lines and lines that start with # are not rows.
///
/// A row that is submitted earlier than the previous one is malformed: it is skipped, not moved. Of
/// rows outside the window, only the submission time is read.
class tr_reader final : public trace_reader {
public:
  /// Throws like `text_reader`.
  tr_reader(const std::string& path, const trace_settings& settings);

  bool next(trace_job& job) override;
  const trace_tally& tally() const override { return tally_; }
  std::uint64_t bytes() const override { return text_.bytes(); }

private:
  bool read_row(std::string_view line, trace_job& job);
  bool malformed(std::string_view reason, const std::string& detail);

  text_reader text_;
  trace_window window_;
  trace_tally tally_;
  duration last_{0}; ///< submission time of the latest row used, in the trace
};

} // namespace troupe
