#pragma once

#include "model/jobs/job_source.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace troupe {

/// Returns why schedulers that probe machines cannot run a gang; `file` is its trace.
inline std::string why_no_gangs(const std::string& file, std::uint32_t tasks) {
  return "[workload] file = \"" + file + "\": a job of it is a gang of " + std::to_string(tasks) +
         " tasks, which start together; schedulers that probe machines place tasks one by one. "
         "Choose an architecture other than sparrow and hybrid, or set workload.trace.gangs = "
         "false";
}

/// Passes on the jobs of another source, and refuses gangs.
class gangless_source final : public job_source {
public:
  /// `file` is the trace of the jobs.
  gangless_source(std::shared_ptr<job_source> of, std::string file)
    : of_(std::move(of)), file_(std::move(file)) {}

  std::optional<job> next() override {
    auto j = of_->next();
    if (j && j->gang && j->task_count() > 1)
      throw std::runtime_error{why_no_gangs(file_, j->task_count())};
    return j;
  }

  bool hears_ends() const override { return of_->hears_ends(); }
  bool jobs_wait() const override { return of_->jobs_wait(); }
  void note_end(std::uint64_t number, instant at) override { of_->note_end(number, at); }
  void give_back(job last) override { of_->give_back(std::move(last)); }
  std::map<std::string, std::uint64_t> skipped_rows() const override { return of_->skipped_rows(); }
  duration moved() const override { return of_->moved(); }

private:
  std::shared_ptr<job_source> of_;
  std::string file_;
};

} // namespace troupe
