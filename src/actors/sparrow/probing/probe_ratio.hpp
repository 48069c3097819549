#pragma once

#include "actors/sparrow/sparrow_limits.hpp"
#include "model/base/moving_average.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace troupe {

/// How many machines a Sparrow scheduler probes, or reserves on, for each task: as the limits say,
/// or the more, the fewer of the machines that it met had room.
class probe_ratio {
public:
  explicit probe_ratio(const sparrow_limits& limits)
    : adaptive_(limits.adaptive_ratio),
      fixed_(limits.ratio),
      least_(limits.ratio_min),
      most_(limits.ratio_max) {}

  /// Learns how many of the machines that were probed, or reserved on, for a job had room.
  void note_room(std::size_t with_room, std::size_t machines) {
    if (machines == 0)
      return;
    with_room_.add(static_cast<double>(with_room) / static_cast<double>(machines));
    met_any_ = true;
  }

  double value() const {
    if (!adaptive_ || !met_any_)
      return fixed_;
    return std::clamp(1 / std::max(with_room_.value(), 1e-6), least_, most_);
  }

  /// Returns n times a ratio, rounded up; a whole number with an error in the last bits is kept.
  static std::size_t times(double ratio, std::size_t n) {
    return static_cast<std::size_t>(std::ceil(ratio * static_cast<double>(n) - 1e-9));
  }

private:
  bool adaptive_;
  double fixed_;
  double least_;
  double most_;
  moving_average with_room_{0.05}; ///< share of the machines met that had room, job by job
  bool met_any_ = false;
};

} // namespace troupe
