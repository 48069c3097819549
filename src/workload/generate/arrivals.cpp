#include "workload/generate/arrivals.hpp"

#include <boost/random/exponential_distribution.hpp>

#include <algorithm>
#include <utility>

namespace troupe {

arrivals::arrivals(std::vector<arrival_phase> phases, bool poisson, random_stream random)
  : phases_(std::move(phases)), poisson_(poisson), random_(random), due_(poisson ? step() : 0) {}

double arrivals::step() {
  return poisson_ ? boost::random::exponential_distribution<double>{}(random_) : 1;
}

std::optional<instant> arrivals::next() {
  // An arrival this close to a boundary belongs after it: the remainder is rounding error.
  constexpr double tolerance = 1e-6;
  for (; phase_ < phases_.size(); ++phase_) {
    const auto& phase = phases_[phase_];
    const double expected = to_seconds(phase.to - phase.from) * phase.rate;
    if (due_ < before_ + expected - tolerance) {
      const double into = std::max(0.0, due_ - before_) / phase.rate;
      due_ += step();
      return std::min(phase.from + from_seconds(into), phase.to);
    }
    before_ += expected;
  }
  return std::nullopt;
}

} // namespace troupe
