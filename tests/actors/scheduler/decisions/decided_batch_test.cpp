#include "actors/scheduler/decisions/decided_batch.hpp"
#include "support/scheduler_fixture.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE("a withdrawn batch halves the next one, and commits double it again") {
  decided_batch batch{8};
  for (int i = 0; i < 6; ++i)
    batch.add({});
  CHECK(batch.has_room(2));
  CHECK_FALSE(batch.has_room(3));
  batch.shorten();
  batch.clear();
  CHECK(batch.has_room(3));
  CHECK_FALSE(batch.has_room(4));
  batch.committed();
  CHECK(batch.has_room(6));
  batch.committed();
  CHECK(batch.has_room(8));
  CHECK_FALSE(batch.has_room(9));
}

TEST_CASE("placements do not foresee a grant that will not be made") {
  decided_batch batch{4};
  decided_placement d;
  d.machine = 1;
  d.version = 3;
  d.others = {{0, 2, 5}};
  batch.add(d);
  batch.foresee_without_grant(1);
  batch.foresee_without_grant(2);
  batch.foresee_without_grant(3);
  CHECK(batch[0].version == 2);
  CHECK(batch[0].others[0].seen_version == 4);
}
