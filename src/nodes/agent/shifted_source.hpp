#pragma once

#include "model/jobs/job_source.hpp"

#include <memory>
#include <utility>

namespace troupe {

/// The jobs of another source, later by a fixed time.
class shifted_source final : public job_source {
public:
  shifted_source(std::shared_ptr<job_source> of, duration by) : of_(std::move(of)), by_(by) {}

  std::optional<job> next() override {
    auto j = of_->next();
    if (j)
      j->submitted += by_;
    return j;
  }

  std::map<std::string, std::uint64_t> skipped_rows() const override { return of_->skipped_rows(); }
  duration moved() const override { return of_->moved(); }

private:
  std::shared_ptr<job_source> of_;
  duration by_;
};

} // namespace troupe
