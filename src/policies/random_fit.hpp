#pragma once

#include "policies/policy.hpp"

namespace troupe {

/// Picks any machine with room in the view, each free unit with the same probability: the scheduler
/// of the conflict model (Feng et al., ParSync, USENIX ATC 2021, analysis of conflicts).
class random_fit final : public placement_policy {
public:
  std::optional<machine_id> pick(const view& seen, const task_request& task,
                                 decision_context& context) override {
    return seen.sample_evenly(task, context.random);
  }
};

} // namespace troupe
