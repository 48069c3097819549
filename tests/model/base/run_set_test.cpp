#include "model/base/run_set.hpp"

#include <doctest/doctest.h>

using namespace troupe;

TEST_CASE("a set of runs has those that were put in") {
  run_set runs;
  CHECK_FALSE(runs.contains(1));
  for (const run_number run : {3, 1, 64, 1000})
    runs.insert(run);
  for (const run_number run : {1, 3, 64, 1000})
    CHECK(runs.contains(run));
  for (const run_number run : {2, 63, 65, 999, 1001, 100000})
    CHECK_FALSE(runs.contains(run));
}

TEST_CASE("a set of runs keeps nothing of those before the first that is missing") {
  run_set runs;
  for (run_number run = 1; run <= 100000; ++run)
    runs.insert(run);
  CHECK(runs.words() <= 1);
  CHECK(runs.contains(1));
  CHECK(runs.contains(100000));
  CHECK_FALSE(runs.contains(100001));
  runs.insert(50); // once more
  CHECK(runs.words() <= 1);
}
