#include "actors/sparrow/probing/probe_ratio.hpp"

#include <doctest/doctest.h>

using namespace troupe;

TEST_CASE("the ratio of probes stays as it is set unless it follows the load") {
  sparrow_limits limits;
  limits.ratio = 2.5;
  probe_ratio fixed{limits};
  fixed.note_room(0, 10);
  CHECK(fixed.value() == 2.5);
  limits.adaptive_ratio = true;
  probe_ratio follows{limits};
  CHECK(follows.value() == 2.5); // no machine has been met
  follows.note_room(0, 0);
  CHECK(follows.value() == 2.5);
  for (int i = 0; i < 500; ++i)
    follows.note_room(5, 10);
  CHECK(follows.value() == doctest::Approx(2));
  for (int i = 0; i < 500; ++i)
    follows.note_room(0, 10);
  CHECK(follows.value() == limits.ratio_max);
}

TEST_CASE("a number of probes is rounded up, and whole ones stay whole") {
  CHECK(probe_ratio::times(1.5, 3) == 5);
  CHECK(probe_ratio::times(1.1, 10) == 11);
  CHECK(probe_ratio::times(2, 0) == 0);
}
