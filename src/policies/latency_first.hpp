#pragma once

#include "policies/policy.hpp"

namespace troupe {

/// The partitions that were refreshed most recently, together, then a machine of them sampled by
/// score; the next fresher ones where those have no room (Feng et al., ParSync, USENIX ATC 2021,
/// latency-first). Schedulers that are synced in turn so work on different partitions.
class latency_first final : public placement_policy {
public:
  std::optional<machine_id> pick(const view& seen, const task_request& task,
                                 decision_context& context) override;
};

} // namespace troupe
