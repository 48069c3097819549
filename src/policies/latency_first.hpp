#pragma once

#include "policies/policy.hpp"

namespace troupe {

/// Samples a machine by score from the most recently refreshed partitions together; if these have
/// no room, from the next most recent ones (Feng et al., ParSync, USENIX ATC 2021, latency-first).
/// Schedulers that are synchronised in turn therefore work on different partitions.
class latency_first final : public placement_policy {
public:
  std::optional<machine_id> pick(const view& seen, const task_request& task,
                                 decision_context& context) override;
};

} // namespace troupe
