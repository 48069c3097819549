#pragma once

#include "model/base/random.hpp"
#include "model/jobs/forwarding_source.hpp"
#include "settings/schema/choices.hpp"

#include <memory>
#include <utility>

namespace troupe {

/// Returns the estimate of a job that runs for `runtime`: one of 20 round values from 5 min to 48 h
/// that is no shorter, the longest of them for a quarter of the jobs, like users who do not want
/// their jobs to be killed. Beyond 48 h it is whole days. Most jobs share a few values, and most
/// estimates are far too long (Tsafrir, Etsion, Feitelson: Modeling User Runtime Estimates, JSSPP
/// 2005); the shares of the values are not fitted to a log.
duration round_estimate(duration runtime, random_stream& random);

/// Passes on the jobs of another source, with estimates of its own.
class estimating_source final : public forwarding_source {
public:
  estimating_source(std::unique_ptr<job_source> of, estimate_kind kind, double factor,
                    random_stream random)
    : forwarding_source(std::move(of)), kind_(kind), factor_(factor), random_(random) {}

  std::optional<job> next() override;

private:
  estimate_kind kind_;
  double factor_;
  random_stream random_;
};

} // namespace troupe
