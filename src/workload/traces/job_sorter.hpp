#pragma once

#include "workload/traces/record_sorter.hpp"
#include "workload/traces/trace_job.hpp"

namespace troupe {

/// Sorts jobs by submission, and jobs submitted together in the order in which they were added. Its
/// memory does not grow with their number (see `record_sorter`).
class job_sorter {
public:
  /// Keeps up to `memory` bytes of jobs in memory before they go to a temporary file.
  explicit job_sorter(std::size_t memory = 64 * 1024 * 1024) : records_(memory) {}

  /// Adds a job. Must not be called after `next`. Throws `std::runtime_error` if a temporary file
  /// cannot be written.
  void add(const trace_job& job) {
    bytes_.clear();
    append_bytes(bytes_, job);
    records_.add(job.submitted.count(), bytes_);
  }

  /// Writes the next job to `job`; returns false at the end.
  bool next(trace_job& job) {
    if (!records_.next())
      return false;
    auto bytes = records_.record();
    take_bytes(bytes, job);
    return true;
  }

  /// The number of temporary files written.
  std::size_t runs() const { return records_.runs(); }

private:
  record_sorter records_;
  std::string bytes_; ///< scratch: the bytes of one job
};

} // namespace troupe
