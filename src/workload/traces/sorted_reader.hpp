#pragma once

#include "workload/traces/job_sorter.hpp"
#include "workload/traces/trace_reader.hpp"

#include <utility>

namespace troupe {

/// Returns the jobs of another reader in the order of submission, after reading it to its end.
class sorted_reader final : public trace_reader {
public:
  explicit sorted_reader(std::unique_ptr<trace_reader> from) : from_(std::move(from)) {}

  bool next(trace_job& job) override {
    if (!std::exchange(read_, true)) {
      read();
      if (auto again = from_->regrouped()) {
        from_ = std::move(again);
        sorter_ = job_sorter{};
        read();
      }
    }
    return sorter_.next(job);
  }

  const trace_tally& tally() const override { return from_->tally(); }
  std::uint64_t bytes() const override { return from_->bytes(); }
  std::map<std::string, std::uint64_t> events() const override { return from_->events(); }
  bool has_dependencies() const override { return from_->has_dependencies(); }

private:
  void read() {
    trace_job job;
    while (from_->next(job))
      sorter_.add(job);
  }

  std::unique_ptr<trace_reader> from_;
  job_sorter sorter_;
  bool read_ = false;
};

} // namespace troupe
