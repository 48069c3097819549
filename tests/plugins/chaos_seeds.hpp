#pragma once

#include "runtime/faults/chaos.hpp"
#include "support/seeds.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

namespace troupe::test {

/// Returns the first violation within the seeds up to `last`, or nothing.
inline std::string found(run_settings settings, std::uint64_t last) {
  for (settings.seed = 1; settings.seed <= last; ++settings.seed)
    if (const auto outcome = run_chaos(settings); outcome.violation)
      return *outcome.violation;
  return {};
}

/// Checks that no seed up to `last` violates an invariant, and that some tasks run again. With
/// sanitizers, seeds are left out only where there are many.
inline void check_seeds(run_settings settings, std::uint64_t last) {
  constexpr std::uint64_t many = 100;
  const auto step = last >= many ? step_of_seeds(last) : 1;
  std::uint64_t again = 0;
  for (settings.seed = 1; settings.seed <= last; settings.seed += step) {
    CAPTURE(settings.seed);
    const auto outcome = run_chaos(settings);
    CHECK_MESSAGE(!outcome.violation, outcome.violation.value_or(""));
    again += outcome.starts - outcome.tasks;
  }
  CHECK(again > 0);
}

} // namespace troupe::test
