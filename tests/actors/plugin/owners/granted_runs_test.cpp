#include "actors/plugin/owners/granted_runs.hpp"

#include <doctest/doctest.h>

using namespace troupe;

#ifdef TROUPE_CHECKS

TEST_CASE("a task that is granted twice is found, and an end of one that does not run") {
  granted_runs runs;
  CHECK_FALSE(runs.begin({1, 0}));
  CHECK(runs.begin({1, 0}));
  CHECK_FALSE(runs.end({1, 0}));
  CHECK(runs.end({1, 0}));
}

#endif
