#include "model/owner/partition_state.hpp"
#include "policies/latency_first.hpp"
#include "support/chi_square.hpp"
#include "support/policy_picks.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

/// Six partitions of three machines with two slots each.
struct latency_first_fixture {
  catalog machines = slot_catalog(lognormal_scores(18), 6, 2);
  view seen{machines, 0s};
  latency_first policy;
  random_stream random = random_stream::derive(1, "latency_first_test", 0);

  void refresh(partition_id p, std::uint64_t round) {
    partition_state idle{machines, p, conflict_detection::fine};
    seen.apply(idle.snapshot(std::chrono::seconds{round}), round);
  }
};

} // namespace

TEST_CASE_FIXTURE(latency_first_fixture,
                  "before the first round all partitions are equally fresh") {
  const auto counts = count_picks(policy, seen, 20'000, random);
  CHECK(agrees(counts, weights_of(seen, {0, 1, 2, 3, 4, 5})));
}

TEST_CASE_FIXTURE(latency_first_fixture,
                  "the partitions of the latest round are taken together, by score") {
  refresh(4, 1);
  refresh(0, 2);
  refresh(3, 2);
  seen.take(machines.members(3)[0], one_slot);
  const auto counts = count_picks(policy, seen, 20'000, random);
  CHECK(agrees(counts, weights_of(seen, {0, 3})));
}

TEST_CASE_FIXTURE(latency_first_fixture,
                  "the next round is used where the latest has no slot left") {
  refresh(4, 1);
  refresh(1, 1);
  refresh(0, 2);
  refresh(3, 2);
  fill(seen, 0);
  CHECK(agrees(count_picks(policy, seen, 10'000, random), weights_of(seen, {3})));
  fill(seen, 3);
  CHECK(agrees(count_picks(policy, seen, 10'000, random), weights_of(seen, {1, 4})));
  fill(seen, 1);
  fill(seen, 4);
  CHECK(agrees(count_picks(policy, seen, 10'000, random), weights_of(seen, {2, 5})));
}

TEST_CASE_FIXTURE(latency_first_fixture,
                  "a partition that is refreshed again is the freshest again") {
  refresh(0, 1);
  refresh(3, 2);
  refresh(0, 3);
  const auto counts = count_picks(policy, seen, 10'000, random);
  CHECK(agrees(counts, weights_of(seen, {0})));
}

TEST_CASE_FIXTURE(latency_first_fixture,
                  "slots that are too small for the demand are passed over") {
  refresh(0, 1);
  refresh(3, 1);
  refresh(5, 2);
  for (auto m : machines.members(5))
    seen.take(m, one_slot);
  for (auto m : machines.members(0))
    seen.take(m, one_slot);
  for (int i = 0; i < 200; ++i) {
    const auto m = pick(policy, seen, random, resources::of_slots(2));
    REQUIRE(m);
    CHECK(machines.place_of(*m).partition == 3);
  }
  CHECK_FALSE(pick(policy, seen, random, resources::of_slots(3)));
}

TEST_CASE_FIXTURE(latency_first_fixture, "a full view has nothing to pick") {
  refresh(2, 1);
  for (partition_id p = 0; p < 6; ++p)
    fill(seen, p);
  CHECK_FALSE(pick(policy, seen, random));
}

TEST_CASE_FIXTURE(latency_first_fixture,
                  "placing task after task uses every slot once, the freshest first") {
  for (partition_id p = 0; p < 6; ++p)
    refresh(p, 1 + p / 2);
  for (int i = 0; i < 36; ++i) {
    const auto m = pick(policy, seen, random);
    REQUIRE(m);
    CHECK(seen.round(machines.place_of(*m).partition) == 3U - static_cast<unsigned>(i / 12));
    REQUIRE(seen.fits(*m, one_slot));
    seen.take(*m, one_slot);
  }
  CHECK_FALSE(pick(policy, seen, random));
}
