#pragma once

#include "actors/scheduler/scheduler_core.hpp"

namespace troupe::testing {

/// Returns the counts of a scheduler since the last call, all groups of jobs together.
inline scheduler_sample sample_of(scheduler_core& core, instant now) {
  scheduler_sample sum;
  for (const auto& s : core.take_samples(now))
    sum.merge(s.sample);
  return sum;
}

} // namespace troupe::testing
