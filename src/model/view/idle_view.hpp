#pragma once

#include "model/view/view_partition.hpp"

#include <vector>

namespace troupe {

/// The partitions of a cluster with every machine idle, which is how the view of each scheduler
/// begins.
struct idle_view {
  /// `machines` must outlive this.
  explicit idle_view(const catalog& machines);

  std::vector<view_partition> parts;
};

} // namespace troupe
