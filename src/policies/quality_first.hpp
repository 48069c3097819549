#pragma once

#include "policies/policy.hpp"

#include <vector>

namespace troupe {

/// The partition with the highest mean score of the slots believed available, then a machine of it
/// sampled by score (Feng et al., ParSync, USENIX ATC 2021, quality-first). Partitions with equal
/// means are taken in an order that starts at a random place, so that schedulers do not all turn
/// to the same one.
class quality_first final : public placement_policy {
public:
  std::optional<machine_id> pick(const view& seen, const task_request& task,
                                 decision_context& context) override;

private:
  std::vector<bool> tried_; ///< partitions without room for the task at hand
};

} // namespace troupe
