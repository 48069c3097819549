#include "policies/quality_first.hpp"
#include "support/chi_square.hpp"
#include "support/policy_picks.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;

namespace {

/// Three partitions of three machines with two slots each; partition 1 has the highest mean score.
struct quality_first_fixture {
  catalog machines = slot_catalog({9, 8, 7, 1, 5, 2, 1, 2, 1}, 3, 2);
  view seen{machines, instant{0}};
  quality_first policy;
  random_stream random = random_stream::derive(1, "quality_first_test", 0);

  partition_id best() const {
    partition_id p = 0;
    for (partition_id q = 1; q < 3; ++q)
      if (seen.mean_weight(q) > seen.mean_weight(p))
        p = q;
    return p;
  }
};

} // namespace

TEST_CASE_FIXTURE(quality_first_fixture,
                  "the partition with the highest mean score of free slots is picked") {
  const auto counts = count_picks(policy, seen, 10'000, random);
  CHECK(agrees(counts, weights_of(seen, {best()})));
}

TEST_CASE_FIXTURE(quality_first_fixture,
                  "another partition is picked once the mean of the best has fallen") {
  const auto first = best();
  const auto top = machines.members(first)[0];
  seen.take(top, one_slot);
  seen.take(top, one_slot);
  const auto second = best();
  REQUIRE(second != first);
  const auto counts = count_picks(policy, seen, 10'000, random);
  CHECK(agrees(counts, weights_of(seen, {second})));
}

TEST_CASE_FIXTURE(quality_first_fixture,
                  "of what was picked, the free slots alone count towards the mean") {
  // With only its best slot left a partition has the highest mean of all.
  const auto p = machines.place_of(0).partition;
  for (auto m : machines.members(p))
    if (m != 0)
      seen.take(m, resources::of_slots(2));
  seen.take(0, one_slot);
  REQUIRE(best() == p);
  for (int i = 0; i < 100; ++i)
    CHECK(pick(policy, seen, random) == 0);
}

TEST_CASE("equal partitions are picked alike") {
  const auto machines = even_catalog(24, 8, 1);
  const view seen{machines, instant{0}};
  quality_first policy;
  const auto counts = count_picks(policy, seen, 24'000, random_stream{3});
  CHECK(agrees(counts, std::vector<double>(24, 1.0)));
}

TEST_CASE("a partition without room for the demand is passed over for the next best") {
  const auto machines = slot_catalog({9, 4, 8, 5, 7, 6}, 3, 2); // {9, 4}, {8, 5}, {7, 6}
  view seen{machines, instant{0}};
  // The two best means have one slot left on each machine.
  for (machine_id m : {0U, 1U, 2U, 3U})
    seen.take(m, one_slot);
  seen.take(1, one_slot); // mean of partition 0: 9
  seen.take(3, one_slot); // mean of partition 1: 8
  quality_first policy;
  random_stream random{1};
  CHECK(pick(policy, seen, random) == 0);
  const auto two_slots = resources::of_slots(2);
  const auto counts = count_picks(policy, seen, 5'000, random, two_slots);
  CHECK(agrees(counts, {0, 0, 0, 0, 7, 6}));
  CHECK_FALSE(pick(policy, seen, random, resources::of_slots(3)));
  CHECK(pick(policy, seen, random) == 0); // what was passed over is looked at again
}

TEST_CASE_FIXTURE(quality_first_fixture, "a full view has nothing to pick") {
  for (partition_id p = 0; p < 3; ++p)
    fill(seen, p);
  CHECK_FALSE(pick(policy, seen, random));
}

TEST_CASE("placing task after task uses every slot once") {
  const auto machines = slot_catalog(lognormal_scores(90), 9, 2);
  view seen{machines, instant{0}};
  quality_first policy;
  random_stream random{8};
  for (int i = 0; i < 180; ++i) {
    const auto m = pick(policy, seen, random);
    REQUIRE(m);
    REQUIRE(seen.fits(*m, one_slot));
    seen.take(*m, one_slot);
  }
  CHECK_FALSE(pick(policy, seen, random));
}
