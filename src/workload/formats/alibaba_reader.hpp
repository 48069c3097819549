#pragma once

#include "workload/formats/alibaba_rows.hpp"
#include "workload/traces/record_sorter.hpp"
#include "workload/traces/task_graph.hpp"
#include "workload/traces/text_files.hpp"
#include "workload/traces/trace_reader.hpp"
#include "workload/traces/trace_window.hpp"

#include <deque>
#include <string>
#include <unordered_map>

namespace troupe {

/// Reads the tables of batch tasks of Alibaba's cluster traces of 2017 and 2018, and of Spar.
///
/// All rows of a job form one job, submitted at their earliest start time. Each row is a group of
/// as many equal tasks as it has instances. These run from the row's start to its end, at least 1
/// s, and wait for the rows to which the row's name refers. They do not wait for their own start
/// time, which is the time of the job's registration. 100 of `plan_cpu` are one core; 1 of
/// `plan_mem`, a hundredth of the largest machine, counts as 1 GiB. Rows that never started or
/// ended, or have no known request, are skipped; rows that depend on them do not wait. A task that
/// occurs twice is malformed.
///
/// A job is complete if there are fewer than 1,000 other jobs between two of its rows. Otherwise
/// `regrouped` returns another reader at the end.
class alibaba_reader final : public trace_reader {
public:
  /// Throws like `text_reader`. If `sorts`, the rows are sorted by job.
  alibaba_reader(std::vector<std::string> paths, const trace_settings& settings,
                 bool sorts = false);

  bool next(trace_job& job) override;
  const trace_tally& tally() const override { return tally_; }
  std::uint64_t bytes() const override { return text_.bytes(); }
  bool in_order() const override { return false; }
  bool has_dependencies() const override { return layout_ != alibaba_layout::v2017; }
  std::unique_ptr<trace_reader> regrouped() override;

private:
  struct open_job {
    std::string name;
    std::vector<alibaba_row> rows;
  };

  bool read_row();
  bool next_sorted(trace_job& job);
  open_job& open(const std::string& name);
  bool finish(trace_job& job);
  void drop_doubles(std::vector<alibaba_row>& rows);
  bool make(open_job& from, trace_job& job);

  std::vector<std::string> paths_;
  trace_settings settings_;
  text_files text_;
  alibaba_layout layout_;
  trace_window window_;
  trace_tally tally_;
  bool sorts_;
  record_sorter by_job_;      ///< the rows, if it sorts; else the names of returned jobs
  alibaba_row row_;           ///< the latest
  std::string bytes_;         ///< scratch
  std::deque<open_job> open_; ///< the latest jobs, oldest first
  std::unordered_map<std::string, std::size_t> places_; ///< numbers, by name
  std::size_t closed_ = 0;
  bool ended_ = false;
};

} // namespace troupe
