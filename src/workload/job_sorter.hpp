#pragma once

#include "workload/trace_job.hpp"

#include <cstdio>
#include <memory>
#include <vector>

namespace troupe {

/// Puts jobs into the order of their submission, those submitted together into that in which they
/// were added, in memory that does not grow with their number: what does not fit is sorted in
/// parts, which wait in temporary files and are merged at the end.
class job_sorter {
public:
  /// Keeps up to `memory` bytes of jobs in memory before they go to a temporary file.
  explicit job_sorter(std::size_t memory = 64 * 1024 * 1024) : memory_(memory) {}

  /// Adds a job; not to be called after `next`. Throws `std::runtime_error` if a temporary file
  /// cannot be written.
  void add(const trace_job& job);

  /// Puts the next job into `job`; returns false if there is none left.
  bool next(trace_job& job);

  /// How many temporary files have been written.
  std::size_t runs() const { return runs_.size(); }

private:
  struct entry {
    instant submitted{0};
    std::size_t at = 0; ///< in `bytes_`, where its size stands first
    std::uint32_t size = 0;
  };

  struct close_file {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };

  struct run {
    std::unique_ptr<std::FILE, close_file> file;
    instant submitted{0}; ///< of the job at the front
    std::string front;    ///< the bytes of that job
  };

  void sort_entries();
  void spill();
  bool advance(run& from);
  void begin_merge();
  bool goes_after(std::size_t a, std::size_t b) const;

  std::size_t memory_;
  std::string bytes_;
  std::vector<entry> entries_;
  std::vector<run> runs_;
  std::vector<std::size_t> heap_; ///< runs with a front, the earliest on top
  std::size_t given_ = 0;         ///< entries handed out, where there are no runs
  bool merging_ = false;
};

} // namespace troupe
