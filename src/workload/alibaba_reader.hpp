#pragma once

#include "workload/task_graph.hpp"
#include "workload/text_files.hpp"
#include "workload/trace_reader.hpp"
#include "workload/trace_window.hpp"

#include <deque>
#include <string>
#include <unordered_map>

namespace troupe {

/// Reads the table `batch_task` of Alibaba's cluster trace of 2018: nine columns without a header.
///
/// The rows of a job, which stand together, are one job, submitted at their earliest start time.
/// Each row is a group of as many equal tasks as it has instances; they run from the row's start to
/// its end, at least 1 s, and wait for the rows that the row's name refers to: never for their own
/// start time, which is when the job was registered. 100 of `plan_cpu` are one core, 1 of
/// `plan_mem`, a hundredth of the largest machine, counts as 1 GiB. Rows that never started or
/// ended, or ask for nothing known, are left out; those that wait for them do not.
class alibaba_reader final : public trace_reader {
public:
  /// Throws like `text_reader`.
  alibaba_reader(std::vector<std::string> paths, const trace_settings& settings);

  bool next(trace_job& job) override;
  const trace_tally& tally() const override { return tally_; }
  std::uint64_t bytes() const override { return text_.bytes(); }
  bool in_order() const override { return false; }
  bool has_dependencies() const override { return true; }

private:
  struct row {
    std::optional<task_name> name;
    std::uint32_t instances = 0;
    duration start{0};
    duration length{0};
    resources demand;
  };

  struct open_job {
    std::string name;
    duration start{0};
    std::vector<row> rows;
  };

  bool read_row(std::string_view line);
  open_job& open(std::string_view name);
  bool finish(trace_job& job);
  bool make(open_job& from, trace_job& job);

  text_files text_;
  trace_window window_;
  trace_tally tally_;
  std::deque<open_job> open_;                           ///< the latest jobs, oldest first
  std::unordered_map<std::string, std::size_t> places_; ///< by name: counted from the first job
  std::size_t closed_ = 0;
  bool ended_ = false;
};

} // namespace troupe
