#pragma once

#include "model/base/random.hpp"
#include "model/jobs/job_source.hpp"
#include "settings/schema/choices.hpp"

#include <memory>
#include <utility>

namespace troupe {

/// Returns the estimate of a job that runs for `runtime`: one of 20 round values from 5 min to 48 h
/// that is no shorter, the longest of them for a quarter of the jobs, as users give it who do not
/// want their jobs killed. Beyond 48 h it is whole days. Most jobs share a few values, and most
/// estimates are far too long (Tsafrir, Etsion, Feitelson: Modeling User Runtime Estimates, JSSPP
/// 2005); the shares of the values are not fitted to a log.
duration round_estimate(duration runtime, random_stream& random);

/// Passes on the jobs of another source, with estimates of its own.
class estimating_source final : public job_source {
public:
  estimating_source(std::unique_ptr<job_source> of, estimate_kind kind, double factor,
                    random_stream random)
    : of_(std::move(of)), kind_(kind), factor_(factor), random_(random) {}

  std::optional<job> next() override;

  bool goes_on() const override { return of_->goes_on(); }
  instant opens() const override { return of_->opens(); }
  void when_more(std::function<void()> call) override { of_->when_more(std::move(call)); }
  void note_over(const task_id& task, task_fate fate) override { of_->note_over(task, fate); }
  bool hears_ends() const override { return of_->hears_ends(); }
  bool jobs_wait() const override { return of_->jobs_wait(); }
  void note_end(std::uint64_t number, instant at) override { of_->note_end(number, at); }
  void give_back(job last) override { of_->give_back(std::move(last)); }
  std::map<std::string, std::uint64_t> skipped_rows() const override { return of_->skipped_rows(); }
  duration moved() const override { return of_->moved(); }

private:
  std::unique_ptr<job_source> of_;
  estimate_kind kind_;
  double factor_;
  random_stream random_;
};

} // namespace troupe
