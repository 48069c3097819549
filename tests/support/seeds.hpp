#pragma once

#include <doctest/doctest.h>

#include <cstdint>

namespace troupe::test {

/// Marks a test case, as in `TEST_CASE("..." * many_seeds)`, that uses `step_of_seeds`: where a
/// program runs each case in one build only, the optimised build runs this one, too.
inline const doctest::test_suite many_seeds{"seeds"};

/// The distance between the seeds that a test tries of those up to `last`. The optimised build
/// tries each. With sanitizers, which take ten times as long, some are left out where there are
/// many.
inline std::uint64_t step_of_seeds([[maybe_unused]] std::uint64_t last) {
#ifdef TROUPE_SANITIZE
  constexpr std::uint64_t many = 100;
  constexpr std::uint64_t several = 15;
  constexpr std::uint64_t few = 3;
  return last >= many ? 8 : last >= several ? 4 : last >= few ? 2 : 1;
#else
  return 1;
#endif
}

} // namespace troupe::test
