#pragma once

#include "model/jobs/forwarding_source.hpp"

#include <memory>
#include <utility>

namespace troupe {

/// The jobs of another source, later by a fixed time; jobs of clients not before it.
class shifted_source final : public forwarding_source {
public:
  shifted_source(std::shared_ptr<job_source> of, duration by)
    : forwarding_source(std::move(of)), by_(by) {}

  std::optional<job> next() override {
    auto j = forwarding_source::next();
    if (j)
      j->submitted += by_;
    return j;
  }

  instant opens() const override { return forwarding_source::opens() + by_; }

  void note_end(std::uint64_t number, instant at) override {
    forwarding_source::note_end(number, at - by_);
  }

  void give_back(job last) override {
    last.submitted -= by_;
    forwarding_source::give_back(std::move(last));
  }

private:
  duration by_;
};

} // namespace troupe
