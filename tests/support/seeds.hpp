#pragma once

#include <cstdint>

namespace troupe::test {

/// How many of so many seeds (or steps) a test tries in this build: all of them optimised, and a
/// quarter, but at least one, with sanitizers, where each takes twelve times as long. A violated
/// invariant shows in any build; sanitizers add memory errors, which recur from seed to seed.
constexpr std::uint64_t tried(std::uint64_t seeds) {
#ifdef TROUPE_SANITIZE
  return seeds < 4 ? 1 : seeds / 4;
#else
  return seeds;
#endif
}

/// Whether this build has sanitizers. Tests of statistics need long runs, and what they use runs
/// with sanitizers in other tests: they are left to the optimised build.
#ifdef TROUPE_SANITIZE
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif

} // namespace troupe::test
