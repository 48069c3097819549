#pragma once

#include "actors/owner/owner_core.hpp"

namespace troupe::testing {

/// Returns what an owner sends to a scheduler in a round; no partitions if it sends nothing.
inline sync_update sync_of(owner_core& owner, const sync_plan& plan, std::uint64_t n,
                           scheduler_id scheduler, instant now) {
  sync_update sent;
  owner.sync(
    plan, n, now, [&](scheduler_id s) { return s == scheduler; },
    [&](scheduler_id, sync_update update) { sent = std::move(update); });
  return sent;
}

} // namespace troupe::testing
