#pragma once

#include "model/base/choice.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace troupe {

/// How much faster a parallel job runs on more processors.
enum class speedup_kind : std::uint8_t {
  linear, ///< n times as fast on n processors
  amdahl, ///< a part of the work is serial (Amdahl, AFIPS 1967)
  downey, ///< by the average parallelism and its variance (Downey, UCB/CSD-97-933, 1997)
};

template <>
struct choice_names<speedup_kind> {
  static constexpr std::array<std::string_view, 3> value{"linear", "amdahl", "downey"};
};

/// The speedup of one job.
struct speedup_model {
  speedup_kind kind = speedup_kind::linear;
  double serial_fraction = 0; ///< amdahl: of the work on one processor; 0 to 1
  double parallelism = 1;     ///< downey: the average A, at least 1: the limit of the speedup
  double sigma = 1;           ///< downey: coefficient of variance of the parallelism, at least 0

  /// Returns how many times as fast as on one processor the job runs on `processors`, of which
  /// there is at least one. It never falls with their number.
  ///
  /// Downey: A Model for Speedup of Parallel Programs, Technical Report UCB/CSD-97-933, University
  /// of California, Berkeley, 1997: equation 2 for a low variance (sigma <= 1), 3 for a high one.
  double at(std::uint32_t processors) const;

  friend bool operator==(const speedup_model&, const speedup_model&) = default;
};

} // namespace troupe
