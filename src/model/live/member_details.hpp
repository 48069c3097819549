#pragma once

#include "model/base/ids.hpp"
#include "model/base/resource_sum.hpp"
#include "model/metrics/metrics.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

/// What members tell the recorder where partitions are recorded, or while somebody watches the run.
namespace troupe {

/// One partition, as its owner knows it.
struct partition_details {
  partition_id partition = 0;
  resource_sum capacity;      ///< of the machines that are up
  resource_sum used;          ///< of it
  std::uint32_t machines = 0; ///< that belong to the partition
  std::uint32_t up = 0;       ///< of these
  std::uint32_t running = 0;  ///< tasks
  std::uint64_t granted = 0;  ///< placements, since the last answer
  /// Refused placements since the last answer, by cause, without those that were refused because of
  /// others of their transaction.
  std::array<std::uint64_t, conflict_causes> refused{};

  /// Adds the counts of an earlier interval.
  void add_counts(const partition_details& earlier) {
    granted += earlier.granted;
    for (std::size_t c = 0; c < conflict_causes; ++c)
      refused[c] += earlier.refused[c];
  }
};

/// A scheduler's policy and view.
struct scheduler_details {
  std::string policy; ///< in force; empty: the one that the settings name
  /// The age of each partition in its view, in ms and at most 65535; empty if it gets no snapshots.
  std::vector<std::uint16_t> ages_ms;
};

} // namespace troupe
