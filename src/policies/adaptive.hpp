#pragma once

#include "model/base/moving_average.hpp"
#include "policies/latency_first.hpp"
#include "policies/quality_first.hpp"

namespace troupe {

/// Uses latency-first while the moving average of the scheduling delay exceeds tau, otherwise
/// quality-first (Feng et al., ParSync, USENIX ATC 2021, adaptive). The average is over the mean
/// delays of answered commits. Its weight is our choice: the paper gives none.
class adaptive final : public placement_policy {
public:
  adaptive(duration tau, double ema_weight) : tau_(to_seconds(tau)), delay_(ema_weight) {}

  std::optional<machine_id> pick(const view& seen, const task_request& task,
                                 decision_context& context) override;

  void learn(std::span<const placement_outcome> outcomes) override;

  bool prefers_latency() const { return delay_.value() > tau_; }

private:
  double tau_; ///< in s
  moving_average delay_;
  quality_first quality_;
  latency_first latency_;
};

} // namespace troupe
