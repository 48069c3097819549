#pragma once

#include "workload/record_sorter.hpp"
#include "workload/trace_job.hpp"

namespace troupe {

/// Puts jobs into the order of their submission, those submitted together into that in which they
/// were added, in memory that does not grow with their number, as `record_sorter` does.
class job_sorter {
public:
  /// Keeps up to `memory` bytes of jobs in memory before they go to a temporary file.
  explicit job_sorter(std::size_t memory = 64 * 1024 * 1024) : records_(memory) {}

  /// Adds a job; not to be called after `next`. Throws `std::runtime_error` if a temporary file
  /// cannot be written.
  void add(const trace_job& job) {
    bytes_.clear();
    append_bytes(bytes_, job);
    records_.add(job.submitted.count(), bytes_);
  }

  /// Puts the next job into `job`; returns false if there is none left.
  bool next(trace_job& job) {
    if (!records_.next())
      return false;
    auto bytes = records_.record();
    take_bytes(bytes, job);
    return true;
  }

  /// How many temporary files have been written.
  std::size_t runs() const { return records_.runs(); }

private:
  record_sorter records_;
  std::string bytes_; ///< scratch: those of one job
};

} // namespace troupe
