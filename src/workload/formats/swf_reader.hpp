#pragma once

#include "workload/traces/text_reader.hpp"
#include "workload/traces/trace_reader.hpp"
#include "workload/traces/trace_window.hpp"

#include <cstdint>
#include <unordered_map>

namespace troupe {

/// Reads a log in the Standard Workload Format of the Parallel Workloads Archive, version 2.2
/// (Feitelson, Tsafrir, Krakov, JPDC 2014): 18 numbers per line, -1 for unknown values; lines that
/// start with ; are comments.
///
/// A job has as many tasks as processors were requested (field 8), or else allocated (field 5). All
/// tasks run for the job's run time (field 4; 0 means less than half a second) and start together.
/// Its estimate is the requested time (field 9), its priority 0. Lines with the status of a part of
/// a job (2, 3, 4) are skipped, since the job has its own line; jobs that never ran are skipped
/// too. Jobs are submitted at their logged times; with `think_times`, those with a preceding job
/// (field 17) are submitted a think time (field 18; unknown: at once) after the end of that one,
/// unless it is left out.
class swf_reader final : public trace_reader {
public:
  /// Throws like `text_reader`.
  swf_reader(const std::string& path, const trace_settings& settings);

  bool next(trace_job& job) override;
  const trace_tally& tally() const override { return tally_; }
  std::uint64_t bytes() const override { return text_.bytes(); }
  bool in_order() const override { return false; }

private:
  bool read_row(std::string_view line, trace_job& job);
  void read_preceding(double preceding, double think, bool is_earlier, trace_job& job) const;

  text_reader text_;
  trace_window window_;
  trace_tally tally_;
  bool gangs_;
  bool used_; ///< processors, instead of those requested
  bool memory_;
  bool think_times_;
  /// With think times: whether the jobs of the rows so far are used, by number.
  std::unordered_map<std::int64_t, bool> known_;
};

} // namespace troupe
