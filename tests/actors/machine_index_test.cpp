#include "actors/common/machine_index.hpp"

#include <doctest/doctest.h>

using namespace troupe;

TEST_CASE("a machine is found by the id of its actor, in any order of additions") {
  machine_index index;
  CHECK_FALSE(index.find(1));
  index.add(10, 3);
  index.add(20, 1);
  CHECK(index.find(10) == 3);
  index.add(15, 2); // not in order
  index.add(5, 7);
  CHECK(index.find(5) == 7);
  CHECK(index.find(10) == 3);
  CHECK(index.find(15) == 2);
  CHECK(index.find(20) == 1);
  CHECK_FALSE(index.find(11));
  CHECK_FALSE(index.find(21));
}
