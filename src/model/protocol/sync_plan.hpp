#pragma once

#include "model/base/ids.hpp"
#include "model/base/time.hpp"

#include <cstdint>
#include <vector>

namespace troupe {

/// Determines which schedulers receive which partitions in which round. Rounds are `round_length`
/// apart; after `rounds` of them every scheduler has received everything once (one sync gap).
class sync_plan {
public:
  /// The schedulers form `groups` groups (scheduler i is in group i mod groups). In each round a
  /// different part of the partitions goes to each group: p goes to group (p + round) mod groups.
  /// With as many groups as schedulers this is ParSync (Feng et al., USENIX ATC 2021); with one
  /// group it is StateSync: everything to all schedulers, once per gap.
  static sync_plan partitioned(duration gap, std::uint32_t groups);

  /// For comparison: in each round the same part of the partitions goes to all schedulers.
  static sync_plan same(duration gap, std::uint32_t groups);

  /// No rounds at all.
  static sync_plan none();

  bool any() const { return groups_ > 0; }
  duration gap() const { return gap_; }
  std::uint32_t rounds() const { return groups_; }

  /// When round `n` (from 1) is due, counted from the start of the run: n * gap / rounds.
  instant due(std::uint64_t n) const;

  /// Calls `handle` with each of the schedulers (0 .. schedulers - 1) that receive partition `p` in
  /// round `n`, in rising order.
  template <class Handle>
  void receivers(std::uint64_t n, partition_id p, std::uint32_t schedulers, Handle handle) const {
    const auto group = static_cast<scheduler_id>((p + n) % groups_);
    if (same_ && group > 0)
      return;
    const auto step = same_ ? 1 : groups_;
    for (std::uint64_t s = group; s < schedulers; s += step)
      handle(static_cast<scheduler_id>(s));
  }

private:
  sync_plan(duration gap, std::uint32_t groups, bool same)
    : gap_(gap), groups_(groups), same_(same) {}

  duration gap_{0};
  std::uint32_t groups_ = 0;
  bool same_ = false;
};

} // namespace troupe
