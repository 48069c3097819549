#pragma once

#include "model/fit_scan.hpp"
#include "policies/policy.hpp"

namespace troupe {

/// Best-fit and worst-fit on resource vectors: of the machines believed to have room, the one that
/// the task fills most tightly, which keeps others whole for large tasks, or the one that it leaves
/// roomiest, which spreads the load. How room is measured: see `scan_for_fit`.
class scan_fit final : public placement_policy {
public:
  /// `limit`: machines looked at for a task; 0: all.
  scan_fit(fit_order order, std::uint32_t limit) : order_(order), limit_(limit) {}

  std::optional<machine_id> pick(const view& seen, const task_request& task,
                                 decision_context& context) override {
    return scan_for_fit(seen, task, order_, limit_, context.random);
  }

  bool is_exhaustive() const override { return true; }

private:
  fit_order order_;
  std::uint32_t limit_;
};

} // namespace troupe
