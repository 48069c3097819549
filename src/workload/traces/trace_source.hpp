#pragma once

#include "model/jobs/job_source.hpp"
#include "workload/generate/request.hpp"
#include "workload/traces/trace_reader.hpp"
#include "workload/traces/trace_tenants.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace troupe {

/// The jobs of a trace. Each is submitted `replicas` times as separate jobs, each later than in the
/// trace by a time drawn uniformly from 0 .. `jitter`. Its tasks have the requests of the trace or,
/// if it has none, of the workload. Unless times are kept, the first job is submitted at 0 and the
/// others are moved by the same time. Keeps only jobs in memory whose replicas are not all
/// submitted yet.
///
/// With think times it reads the whole trace at first. A job with a preceding job is submitted its
/// think time after all tasks of that one, of the same replica, are over.
class trace_source : public job_source {
public:
  /// Opens the trace. Throws like `open_trace`.
  trace_source(const workload_settings& settings, random_stream random, trace_tenants tenants = {});

  std::optional<job> next() override;

  bool hears_ends() const override { return think_times_; }
  bool jobs_wait() const override { return next_id_ < limit_ && !after_.empty(); }
  void note_end(std::uint64_t number, instant at) override;
  void give_back(job last) override;

  std::map<std::string, std::uint64_t> skipped_rows() const override {
    return reader_->tally().skipped();
  }

  duration moved() const override { return begin_.value_or(instant{0}); }

private:
  struct waiting_job {
    instant submitted{0};
    std::uint64_t order = 0; ///< breaks ties: jobs in their order, then replicas
    std::shared_ptr<trace_job> what;
    std::uint32_t replica = 0;
    duration late{0}; ///< its jitter

    /// Orders a heap so that the earliest is on top.
    friend bool operator<(const waiting_job& a, const waiting_job& b) {
      return a.submitted != b.submitted ? a.submitted > b.submitted : a.order > b.order;
    }
  };

  /// A job of the trace that others wait for: its number, and the replica.
  using name = std::pair<std::int64_t, std::uint32_t>;

  struct open_job {
    name as;
    std::uint64_t tasks = 0; ///< that are not over
  };

  void read_job();
  void queue(waiting_job what);

  std::unique_ptr<trace_reader> reader_;
  request_sampler requests_;
  trace_tenants tenants_;
  bool keeps_times_;
  std::optional<instant> begin_; ///< submission of the first job, if it is moved to 0
  std::uint32_t replicas_;
  duration jitter_;
  random_stream requests_random_;
  random_stream jitter_random_;
  std::vector<waiting_job> waiting_; ///< a heap
  instant read_to_{0};               ///< no later job is submitted before this
  std::uint64_t order_ = 0;
  bool ended_ = false;
  bool think_times_;
  std::map<name, std::vector<waiting_job>> after_{}; ///< jobs that wait for the end of one
  std::map<std::uint64_t, open_job> open_{};         ///< jobs that others wait for, by number
  waiting_job last_{};                               ///< the one returned last
  job_id next_id_ = 0;
  std::uint64_t limit_;
};

} // namespace troupe
