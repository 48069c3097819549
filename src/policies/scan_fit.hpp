#pragma once

#include "model/base/fit_scan.hpp"
#include "policies/policy.hpp"

namespace troupe {

/// Best-fit and worst-fit on resource vectors. Of the machines with room in the view, best-fit
/// picks the one with the least room left, which keeps others free for large tasks; worst-fit picks
/// the one with the most room left, which spreads the load. `scan_for_fit` describes the measure of
/// room.
class scan_fit final : public placement_policy {
public:
  /// `limit`: machines examined for a task; 0: all.
  scan_fit(fit_order order, std::uint32_t limit) : order_(order), limit_(limit) {}

  std::optional<machine_id> pick(const view& seen, const task_request& task,
                                 decision_context& context) override {
    looked_at_ = 0;
    return scan_for_fit(seen, task, order_, limit_, context.random, &looked_at_);
  }

  bool is_exhaustive() const override { return true; }

  /// The number of machines that the latest pick was made from, with those without room.
  std::uint32_t looked_at() const { return looked_at_; }

private:
  fit_order order_;
  std::uint32_t limit_;
  std::uint32_t looked_at_ = 0;
};

} // namespace troupe
