#pragma once

#include "model/job_source.hpp"
#include "workload/request.hpp"
#include "workload/trace_reader.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace troupe {

/// The jobs of a trace. Each is submitted `replicas` times, each time as a job of its
/// own, later than the trace says by a time drawn evenly from 0 .. `jitter`. What its tasks ask for
/// is what the trace says, or, where it says nothing, the workload. The first job is submitted at
/// 0, and the others as much earlier, unless times are kept. Keeps only those in memory whose
/// replicas are not all submitted yet.
class trace_source : public job_source {
public:
  /// Opens the trace; throws like `open_trace`.
  trace_source(const workload_settings& settings, random_stream random);

  std::optional<job> next() override;

  std::map<std::string, std::uint64_t> skipped_rows() const override {
    return reader_->tally().skipped();
  }

  duration moved() const override { return begin_.value_or(instant{0}); }

  bool has_dependencies() const override { return reader_->has_dependencies(); }

private:
  struct waiting_job {
    instant submitted{0};
    std::uint64_t order = 0; ///< breaks ties: jobs in their order, then replicas
    std::shared_ptr<trace_job> what;

    /// Orders a heap so that the earliest is on top.
    friend bool operator<(const waiting_job& a, const waiting_job& b) {
      return a.submitted != b.submitted ? a.submitted > b.submitted : a.order > b.order;
    }
  };

  void read_job();

  std::unique_ptr<trace_reader> reader_;
  request_sampler requests_;
  bool keeps_times_;
  std::optional<instant> begin_; ///< when the first job is submitted, where that is moved to 0
  std::uint32_t replicas_;
  duration jitter_;
  random_stream requests_random_;
  random_stream jitter_random_;
  std::vector<waiting_job> waiting_; ///< a heap
  instant read_to_{0};               ///< no later job is submitted before this
  std::uint64_t order_ = 0;
  bool ended_ = false;
  job_id next_id_ = 0;
  std::uint64_t limit_;
};

} // namespace troupe
