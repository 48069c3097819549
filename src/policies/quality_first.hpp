#pragma once

#include "policies/policy.hpp"

#include <vector>

namespace troupe {

/// Chooses the partition whose free slots, as the view shows them, have the highest mean score,
/// then samples a machine of it by score (Feng et al., ParSync, USENIX ATC 2021, quality-first).
/// Partitions with equal means are taken in an order that starts at a random one, so that
/// schedulers do not all choose the same partition.
class quality_first final : public placement_policy {
public:
  std::optional<machine_id> pick(const view& seen, const task_request& task,
                                 decision_context& context) override;

private:
  std::vector<bool> tried_; ///< partitions without room for the current task
};

} // namespace troupe
