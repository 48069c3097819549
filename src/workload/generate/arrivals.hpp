#pragma once

#include "model/base/random.hpp"
#include "model/base/time.hpp"

#include <optional>
#include <vector>

namespace troupe {

/// A period in which jobs arrive at a constant rate.
struct arrival_phase {
  instant from{0};
  instant to{0};
  double rate = 0; ///< jobs per second
};

/// The instants at which jobs arrive, phase after phase. Evenly spaced arrivals start with the
/// first phase and keep their count across the boundaries of phases, so that the number of arrivals
/// until any instant is the integral of the rate, rounded up. Poisson arrivals are the
/// time-rescaled unit-rate process (Daley, Vere-Jones: An Introduction to the Theory of Point
/// Processes, section 7.4), so that a change of rate takes effect immediately.
class arrivals {
public:
  /// `phases` follow each other without gaps or overlaps.
  arrivals(std::vector<arrival_phase> phases, bool poisson, random_stream random);

  /// Returns the next instant, or nothing after the last phase.
  std::optional<instant> next();

private:
  double step();

  std::vector<arrival_phase> phases_;
  bool poisson_;
  random_stream random_;
  std::size_t phase_ = 0;
  double due_ = 0;    ///< the next arrival, in expected arrivals since the start
  double before_ = 0; ///< expected arrivals in the past phases
};

} // namespace troupe
