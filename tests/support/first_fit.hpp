#pragma once

#include "policies/policy.hpp"

#include <vector>

namespace troupe::testing {

/// Picks the machine with the lowest id that is believed to fit, and keeps what it is told, so that
/// tests know beforehand what a scheduler does.
class first_fit final : public placement_policy {
public:
  /// `told` receives every outcome and must outlive the policy.
  explicit first_fit(std::vector<placement_outcome>& told) : told_(&told) {}

  std::optional<machine_id> pick(const view& seen, const task_request& task,
                                 decision_context&) override {
    for (machine_id m = 0; m < seen.machines().machines(); ++m)
      if (seen.fits(m, task.demand))
        return m;
    return std::nullopt;
  }

  void learn(std::span<const placement_outcome> outcomes) override {
    told_->insert(told_->end(), outcomes.begin(), outcomes.end());
  }

private:
  std::vector<placement_outcome>* told_;
};

} // namespace troupe::testing
