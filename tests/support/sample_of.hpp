#pragma once

#include "actors/scheduler_core.hpp"

namespace troupe::testing {

/// Returns what a scheduler counted since the last time, all groups of jobs together.
inline scheduler_sample sample_of(scheduler_core& core, instant now) {
  scheduler_sample sum;
  for (const auto& s : core.take_samples(now))
    sum.merge(s.sample);
  return sum;
}

} // namespace troupe::testing
