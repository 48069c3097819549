#pragma once

#include "model/job_source.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace troupe {

/// Returns why a gang cannot be run by schedulers that probe machines; `file` is its trace.
inline std::string why_no_gangs(const std::string& file, std::uint32_t tasks) {
  return "[workload] file = \"" + file + "\": a job of it is a gang of " + std::to_string(tasks) +
         " tasks, which start together; schedulers that probe machines place tasks one by one. "
         "Choose an architecture other than sparrow and hybrid, or set workload.trace.gangs = "
         "false";
}

/// The jobs of another source, none of which may be a gang.
class gangless_source final : public job_source {
public:
  /// `file` is the trace that the jobs are from.
  gangless_source(std::shared_ptr<job_source> of, std::string file)
    : of_(std::move(of)), file_(std::move(file)) {}

  std::optional<job> next() override {
    auto j = of_->next();
    if (j && j->gang && j->task_count() > 1)
      throw std::runtime_error{why_no_gangs(file_, j->task_count())};
    return j;
  }

  std::map<std::string, std::uint64_t> skipped_rows() const override { return of_->skipped_rows(); }
  bool has_dependencies() const override { return of_->has_dependencies(); }
  duration moved() const override { return of_->moved(); }

private:
  std::shared_ptr<job_source> of_;
  std::string file_;
};

} // namespace troupe
