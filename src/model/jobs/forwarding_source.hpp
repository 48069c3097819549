#pragma once

#include "model/jobs/job_source.hpp"

#include <memory>
#include <utility>

namespace troupe {

/// Passes everything on to another source and back. A base for sources that change or check the
/// jobs of another source; they override the functions concerned.
class forwarding_source : public job_source {
public:
  explicit forwarding_source(std::shared_ptr<job_source> to) : to_(std::move(to)) {}

  std::optional<job> next() override { return to_->next(); }
  bool goes_on() const override { return to_->goes_on(); }
  instant opens() const override { return to_->opens(); }
  void when_more(std::function<void()> call) override { to_->when_more(std::move(call)); }
  std::vector<job_id> take_withdrawn() override { return to_->take_withdrawn(); }
  void note_over(const task_id& task, task_fate fate) override { to_->note_over(task, fate); }
  bool hears_ends() const override { return to_->hears_ends(); }
  bool jobs_wait() const override { return to_->jobs_wait(); }
  void note_end(std::uint64_t number, instant at) override { to_->note_end(number, at); }
  void give_back(job last) override { to_->give_back(std::move(last)); }
  std::map<std::string, std::uint64_t> skipped_rows() const override { return to_->skipped_rows(); }
  duration moved() const override { return to_->moved(); }

private:
  std::shared_ptr<job_source> to_;
};

} // namespace troupe
