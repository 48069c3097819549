#pragma once

#include "workload/traces/text_reader.hpp"
#include "workload/traces/trace_reader.hpp"
#include "workload/traces/trace_window.hpp"

namespace troupe {

/// Reads the jobs of a recording of a cluster that ran commands (`recorded_rows.hpp`).
class recorded_reader final : public trace_reader {
public:
  /// Throws like `text_reader`, and `std::runtime_error` if the first line is not that of a
  /// recording of a version that this program reads.
  recorded_reader(const std::string& path, const trace_settings& settings);

  bool next(trace_job& job) override;
  const trace_tally& tally() const override { return tally_; }
  std::uint64_t bytes() const override { return text_.bytes(); }
  bool in_order() const override { return false; }
  bool has_dependencies() const override { return true; }

private:
  bool read_row(std::string_view line, trace_job& job);

  text_reader text_;
  trace_window window_;
  trace_tally tally_;
};

} // namespace troupe
