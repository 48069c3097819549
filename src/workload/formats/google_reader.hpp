#pragma once

#include "workload/formats/google_jobs.hpp"
#include "workload/traces/text_files.hpp"
#include "workload/traces/trace_reader.hpp"

#include <array>
#include <memory>

namespace troupe {

/// The tables with the jobs of a Google trace, each in one or several files, in order.
struct google_tables {
  std::vector<std::string> task_events;
  std::vector<std::string> job_events;       ///< only read if there are no task events
  std::vector<std::string> task_constraints; ///< may be empty
};

/// Reads the jobs of Google's cluster trace of 2011 (clusterdata-2011-2) from its task events, or,
/// if there are none, from its job events, in which each job counts as one task with the request of
/// the workload. `google2011::job_assembly` describes their processing.
///
/// A job is submitted with its first task; tasks that come later are separate jobs. A share of the
/// largest machine counts as a share of 1,000 cores and 1,000,000 MiB; priorities are as in the
/// trace. Tasks from before the beginning of the trace are skipped. Constraints of tasks become
/// those of Troupe; constraints without a value are skipped.
class google_reader final : public trace_reader {
public:
  /// Throws like `text_reader`.
  google_reader(const google_tables& tables, const trace_settings& settings);

  bool next(trace_job& job) override;
  const trace_tally& tally() const override { return tally_; }
  std::map<std::string, std::uint64_t> events() const override;
  std::uint64_t bytes() const override {
    return text_.bytes() + (constraints_ ? constraints_->bytes() : 0);
  }

private:
  void read_row();
  bool read_event(std::string_view line, google2011::task_row& row);
  bool malformed(std::string_view reason, const std::string& detail);
  void constrain_until(duration at);
  bool read_constraint();

  struct task_constraint {
    duration at{0};
    std::uint64_t job = 0;
    std::uint32_t index = 0;
    constraint what;
  };

  text_files text_;
  bool jobs_only_;
  trace_settings settings_;
  trace_window window_;
  trace_tally tally_;
  google2011::job_assembly jobs_;
  std::unique_ptr<text_files> constraints_;
  std::optional<task_constraint> next_constraint_;
  std::array<std::uint64_t, google2011::events> counts_{}; ///< of rows, by event
  std::uint64_t without_request_ = 0;                      ///< rows of task events
  duration last_ = duration::min();
  bool ended_ = false;
};

} // namespace troupe
