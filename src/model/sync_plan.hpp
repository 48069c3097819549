#pragma once

#include "model/ids.hpp"
#include "model/time.hpp"

#include <cstdint>
#include <vector>

namespace troupe {

/// Which schedulers are sent which partitions in which round. A round comes every `round_length`;
/// after `rounds` of them every scheduler has been sent everything once (one sync gap).
class sync_plan {
public:
  /// The schedulers form `groups` groups (scheduler i is of group i mod groups); in each round
  /// another part of the partitions goes to each group: p goes to group (p + round) mod groups.
  /// With as many groups as schedulers this is ParSync (Feng et al., USENIX ATC 2021); with one
  /// group it is StateSync: everything to everyone, once per gap.
  static sync_plan partitioned(duration gap, std::uint32_t groups);

  /// For comparison: in each round another part of the partitions goes to every scheduler alike.
  static sync_plan same(duration gap, std::uint32_t groups);

  /// No rounds at all.
  static sync_plan none();

  bool any() const { return groups_ > 0; }
  duration gap() const { return gap_; }
  std::uint32_t rounds() const { return groups_; }

  /// When round `n` (from 1) is due, counted from the start of the run: n * gap / rounds.
  instant due(std::uint64_t n) const;

  /// Returns whether `scheduler` is sent partition `p` in round `n`.
  bool sends(std::uint64_t n, partition_id p, scheduler_id scheduler) const {
    const auto shift = same_ ? 0 : scheduler % groups_;
    return (p + n) % groups_ == shift;
  }

private:
  sync_plan(duration gap, std::uint32_t groups, bool same)
    : gap_(gap), groups_(groups), same_(same) {}

  duration gap_{0};
  std::uint32_t groups_ = 0;
  bool same_ = false;
};

} // namespace troupe
