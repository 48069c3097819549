#include "policies/random_fit.hpp"
#include "support/chi_square.hpp"
#include "support/policy_picks.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;

TEST_CASE("every free slot has the same chance, whatever its score") {
  const auto machines = slot_catalog(lognormal_scores(40), 4, 3);
  view seen{machines, instant{0}};
  random_stream random{2};
  std::vector<double> free(40, 3.0);
  for (int i = 0; i < 60; ++i) {
    const auto m = static_cast<machine_id>(random.below(40));
    if (seen.fits(m, one_slot)) {
      seen.take(m, one_slot);
      free[m] -= 1;
    }
  }
  random_fit policy;
  CHECK(agrees(count_picks(policy, seen, 30'000, random), free));
}

TEST_CASE("only machines with room for the demand are picked, until there are none") {
  const auto machines = even_catalog(12, 3, 2);
  view seen{machines, instant{0}};
  random_stream random{1};
  random_fit policy;
  seen.take(7, one_slot);
  const auto two_slots = resources::of_slots(2);
  for (int i = 0; i < 11; ++i) {
    const auto m = pick(policy, seen, random, two_slots);
    REQUIRE(m);
    CHECK(*m != 7);
    seen.take(*m, two_slots);
  }
  CHECK_FALSE(pick(policy, seen, random, two_slots));
  CHECK(pick(policy, seen, random) == 7);
  seen.take(7, one_slot);
  CHECK_FALSE(pick(policy, seen, random));
}
