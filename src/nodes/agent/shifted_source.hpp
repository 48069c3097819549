#pragma once

#include "model/jobs/job_source.hpp"

#include <memory>
#include <utility>

namespace troupe {

/// The jobs of another source, later by a fixed time; jobs of clients not before it.
class shifted_source final : public job_source {
public:
  shifted_source(std::shared_ptr<job_source> of, duration by) : of_(std::move(of)), by_(by) {}

  std::optional<job> next() override {
    auto j = of_->next();
    if (j)
      j->submitted += by_;
    return j;
  }

  bool goes_on() const override { return of_->goes_on(); }
  instant opens() const override { return of_->opens() + by_; }
  void when_more(std::function<void()> call) override { of_->when_more(std::move(call)); }
  void note_over(const task_id& task, task_fate fate) override { of_->note_over(task, fate); }
  bool hears_ends() const override { return of_->hears_ends(); }
  bool jobs_wait() const override { return of_->jobs_wait(); }
  void note_end(std::uint64_t number, instant at) override { of_->note_end(number, at - by_); }

  void give_back(job last) override {
    last.submitted -= by_;
    of_->give_back(std::move(last));
  }

  std::map<std::string, std::uint64_t> skipped_rows() const override { return of_->skipped_rows(); }
  duration moved() const override { return of_->moved(); }

private:
  std::shared_ptr<job_source> of_;
  duration by_;
};

} // namespace troupe
