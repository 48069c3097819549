#pragma once

#include "model/jobs/forwarding_source.hpp"

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
class gangless_source final : public forwarding_source {
public:
  /// `file` is the trace of the jobs.
  gangless_source(std::shared_ptr<job_source> of, std::string file)
    : forwarding_source(std::move(of)), file_(std::move(file)) {}

  std::optional<job> next() override {
    auto j = forwarding_source::next();
    if (j && j->gang && j->task_count() > 1)
      throw std::runtime_error{why_no_gangs(file_, j->task_count())};
    return j;
  }

private:
  std::string file_;
};

} // namespace troupe
