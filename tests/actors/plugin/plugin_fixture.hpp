#pragma once

#include "support/model_builders.hpp"

#include <chrono>

namespace troupe::testing {

inline constexpr instant at_1s{std::chrono::seconds{1}};

/// A job of equal one-slot tasks, no two of which may run on one machine.
inline job spreading_job(job_id id, std::uint32_t tasks) {
  auto j = slot_job(id, tasks);
  j.spread = true;
  return j;
}

} // namespace troupe::testing
