#pragma once

#include <cstdint>
#include <vector>

namespace troupe {

/// The units (catalog::unit) that fit on the machines of a partition, and their sums. An owner
/// sends them with a snapshot, so that schedulers of its process need not count.
struct counted_units {
  std::vector<std::uint32_t> machines; ///< empty if the cells of the table equal the units
  /// The sums of units and, by class of tasks, of weights: of the partition, then block by block.
  std::vector<std::uint64_t> sums;
};

} // namespace troupe
