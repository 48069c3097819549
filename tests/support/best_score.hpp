#pragma once

#include "policies/policy.hpp"

#include <vector>

namespace troupe::testing {

/// Picks the machine with the highest score that is believed to fit and passes the filter; of equal
/// ones, that with the lowest id. Stores reported outcomes. Tests can thus predict the decisions of
/// a scheduler.
class best_score final : public placement_policy {
public:
  /// `told` receives every outcome and must outlive the policy.
  explicit best_score(std::vector<placement_outcome>& told) : told_(&told) {}

  std::optional<machine_id> pick(const view& seen, const task_request& task,
                                 decision_context&) override {
    const auto& machines = seen.machines();
    std::optional<machine_id> best;
    for (machine_id m = 0; m < machines.machines(); ++m)
      if (seen.fits(m, task.demand) && task.filter.admits(machines, m) &&
          (!best || machines.machine(m).score > machines.machine(*best).score))
        best = m;
    return best;
  }

  void learn(std::span<const placement_outcome> outcomes) override {
    told_->insert(told_->end(), outcomes.begin(), outcomes.end());
  }

private:
  std::vector<placement_outcome>* told_;
};

} // namespace troupe::testing
