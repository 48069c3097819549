#pragma once

#include "actors/owner/owned_partitions.hpp"
#include "model/live/member_details.hpp"

#include <vector>

namespace troupe {

/// Counts the placements that an owner grants and refuses in each partition, while the counts are
/// needed.
class partition_meter {
public:
  bool counts() const { return counts_; }

  /// Counts an answered commit. Placements on machines of other owners count nowhere.
  void count(const commit_request& wanted, const commit_reply& reply, const catalog& machines);

  /// Returns the state of each partition, with its counts since the last call, if they are `wanted`
  /// and counts from now on; otherwise stops and returns nothing.
  std::vector<partition_details> take(const owned_partitions& of, bool wanted);

private:
  bool counts_ = true;
  std::vector<partition_details> counted_; ///< by partition of the cluster; empty before the first
};

} // namespace troupe
