#include "model/owner/partition_state.hpp"
#include "model/view/view.hpp"
#include "support/chi_square.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

partition_snapshot idle_snapshot(const catalog& machines, partition_id p, instant at) {
  return partition_state{machines, p, conflict_detection::fine}.snapshot(at);
}

} // namespace

TEST_CASE("a view starts idle, as known when it began") {
  const auto machines = even_catalog(10, 3, 2);
  const view seen{machines, 5s};
  CHECK(seen.partitions() == 3);
  CHECK(seen.units() == 20);
  CHECK(seen.units(0) == 6);
  CHECK(seen.units(2) == 8);
  CHECK(seen.mean_weight(0) == machines.weight_of_one());
  CHECK(seen.age(1, 7s) == 2s);
  CHECK(seen.round(1) == 0);
  CHECK_FALSE(seen.complete());
}

TEST_CASE("a charge changes its machine and the sums, and nothing else") {
  const auto machines = slot_catalog({4, 1, 3, 2}, 2, 2); // partitions {4, 1} and {3, 2}
  view seen{machines, 0s};
  seen.take(0, resources::of_slots(2));
  CHECK(seen.units() == 6);
  CHECK(seen.units(0) == 2);
  CHECK(seen.mean_weight(0) / machines.weight_of_one() == doctest::Approx(1));
  CHECK(seen.mean_weight(1) / machines.weight_of_one() == doctest::Approx(2.5));
  CHECK_FALSE(seen.fits(0, one_slot));
  CHECK(seen.fits(1, resources::of_slots(2)));
  seen.take(1, resources::of_slots(2));
  CHECK(seen.units(0) == 0);
  CHECK(seen.weight(0) == 0);
  CHECK(seen.mean_weight(0) == 0);
  seen.correct(1, one_slot, 0);
  CHECK(seen.free(1) == one_slot);
  CHECK(seen.units() == 5);
}

TEST_CASE("machines are sampled in proportion to their score times their free units") {
  const std::vector<double> scores{5, 4, 3, 2, 1, 0.5};
  const auto machines = slot_catalog(scores, 1, 3);
  view seen{machines, 0s};
  seen.take(0, resources::of_slots(2));
  seen.take(2, resources::of_slots(3));
  seen.take(4, one_slot);
  const std::vector<double> expected{5 * 1, 4 * 3, 0, 2 * 3, 1 * 2, 0.5 * 3};
  auto random = random_stream::derive(1, "view_test", 0);
  std::vector<std::uint64_t> counts(scores.size());
  for (int i = 0; i < 30'000; ++i)
    ++counts[seen.sample_by_score(0, one_slot, random).value()];
  CHECK(agrees(counts, expected));
}

TEST_CASE("sampling by score is right in a partition of many blocks that is nearly full") {
  const auto machines = slot_catalog(lognormal_scores(200), 1, 2);
  view seen{machines, 0s};
  auto random = random_stream::derive(1, "view_test", 1);
  for (int i = 0; i < 350; ++i) // at random, not by score
    seen.take(seen.sample_evenly(one_slot, random).value(), one_slot);
  CHECK(seen.units() == 50);
  std::vector<double> expected;
  for (machine_id m = 0; m < 200; ++m)
    expected.push_back(machines.machine(m).score * seen.free(m)[resource::slots]);
  std::vector<std::uint64_t> counts(200);
  for (int i = 0; i < 50'000; ++i)
    ++counts[seen.sample_by_score(0, one_slot, random).value()];
  CHECK(agrees(counts, expected));
}

TEST_CASE("even sampling gives every free unit of the cluster the same chance") {
  const auto machines = slot_catalog({9, 8, 7, 6, 5, 4, 3}, 3, 2);
  view seen{machines, 0s};
  seen.take(0, resources::of_slots(2));
  seen.take(5, one_slot);
  auto random = random_stream::derive(1, "view_test", 2);
  std::vector<std::uint64_t> counts(7);
  for (int i = 0; i < 30'000; ++i)
    ++counts[seen.sample_evenly(one_slot, random).value()];
  CHECK(agrees(counts, {0, 2, 2, 2, 2, 1, 2}));
}

TEST_CASE("a demand greater than a unit finds the one machine that has room") {
  const auto machines = even_catalog(100, 2, 2);
  view seen{machines, 0s};
  for (machine_id m = 0; m < 100; ++m)
    if (m != 41)
      seen.take(m, one_slot);
  random_stream random{1};
  const auto home = machines.place_of(41).partition;
  for (int i = 0; i < 50; ++i) {
    CHECK(seen.sample_evenly(resources::of_slots(2), random) == 41);
    CHECK(seen.sample_by_score(home, resources::of_slots(2), random) == 41);
    CHECK_FALSE(seen.sample_by_score(1 - home, resources::of_slots(2), random));
  }
  CHECK_FALSE(seen.sample_evenly(resources::of_slots(3), random));
}

TEST_CASE("a full view has nothing to sample") {
  const auto machines = even_catalog(2, 1, 1);
  view seen{machines, 0s};
  seen.take(0, one_slot);
  seen.take(1, one_slot);
  random_stream random{1};
  CHECK(seen.units() == 0);
  CHECK_FALSE(seen.sample_by_score(0, one_slot, random));
  CHECK_FALSE(seen.sample_evenly(one_slot, random));
}

TEST_CASE("with several kinds of resource a sample fits in each of them") {
  const auto scores = lognormal_scores(40);
  std::vector<machine_info> all;
  for (std::uint32_t i = 0; i < 40; ++i)
    all.push_back(
      {i % 2 == 0 ? cpu_and_memory(8000, 8192) : cpu_and_memory(2000, 32768), scores[i], i % 2});
  const catalog machines{std::move(all), {{"a", {}}, {"b", {}}}, 2, cpu_and_memory(1000, 1024)};
  view seen{machines, 0s};
  random_stream random{1};
  const auto wide = cpu_and_memory(3000, 2048);
  const auto tall = cpu_and_memory(500, 16384);
  int placed_wide = 0;
  int placed_tall = 0;
  for (int i = 0; i < 200; ++i) {
    if (const auto m = seen.sample_evenly(wide, random)) {
      REQUIRE(seen.fits(*m, wide));
      seen.take(*m, wide);
      ++placed_wide;
    }
    if (const auto m = seen.sample_by_score(random.below(2) == 0 ? 0 : 1, tall, random)) {
      REQUIRE(seen.fits(*m, tall));
      seen.take(*m, tall);
      ++placed_tall;
    }
  }
  // Two wide ones fit on each machine of 8 cores and two tall ones on each of 32 GiB.
  CHECK(placed_wide == 40);
  CHECK(placed_tall == 40);
}

TEST_CASE("a snapshot replaces its partition, makes it the freshest and keeps the age") {
  const auto machines = even_catalog(8, 4, 1);
  view seen{machines, 0s};
  for (machine_id m = 0; m < 8; ++m)
    seen.take(m, one_slot);
  CHECK(std::ranges::equal(seen.by_freshness(), std::vector<partition_id>{0, 1, 2, 3}));
  seen.apply(idle_snapshot(machines, 2, 3s), 1);
  CHECK(std::ranges::equal(seen.by_freshness(), std::vector<partition_id>{2, 0, 1, 3}));
  CHECK(seen.units() == 2);
  CHECK(seen.units(2) == 2);
  CHECK(seen.round(2) == 1);
  CHECK(seen.taken_at(2) == 3s);
  CHECK(seen.age(2, 5s) == 2s);
  CHECK(seen.mean_taken_at() == 0.75);
  seen.apply(idle_snapshot(machines, 3, 4s), 2);
  seen.apply(idle_snapshot(machines, 2, 5s), 3);
  CHECK(std::ranges::equal(seen.by_freshness(), std::vector<partition_id>{2, 3, 0, 1}));
  CHECK(seen.mean_taken_at() == 2.25);
  CHECK_FALSE(seen.complete());
  seen.apply(idle_snapshot(machines, 0, 6s), 4);
  seen.apply(idle_snapshot(machines, 1, 7s), 5);
  CHECK(seen.complete());
}

TEST_CASE("a snapshot that does not fit is refused") {
  const auto machines = even_catalog(8, 4, 1);
  view seen{machines, 0s};
  CHECK_THROWS_AS(seen.apply({1, 3s, {1}, {}}, 1), std::invalid_argument);
  CHECK_THROWS_AS(seen.apply({4, 3s, {1, 1}, {}}, 1), std::exception);
  CHECK(seen.units() == 8);
  CHECK(seen.taken_at(1) == 0s);
}

TEST_CASE("the totals of a view stay exact over a long random sequence") {
  const auto machines = slot_catalog(lognormal_scores(200), 7, 2);
  view seen{machines, 0s};
  auto random = random_stream::derive(1, "view_test", 3);
  for (int step = 0; step < 5'000; ++step) {
    const auto m = static_cast<machine_id>(random.below(200));
    const auto action = random.below(100);
    if (action < 80)
      seen.take(m, one_slot);
    else if (action < 97)
      seen.correct(m, resources::of_slots(static_cast<std::int32_t>(random.below(3))), 0);
    else
      seen.apply(idle_snapshot(machines, static_cast<partition_id>(random.below(7)), 1s), 1);
    if (step % 50 != 0)
      continue;
    std::uint64_t total = 0;
    for (partition_id p = 0; p < 7; ++p) {
      std::uint64_t units = 0;
      std::uint64_t weight = 0;
      const auto members = machines.members(p);
      for (std::size_t i = 0; i < members.size(); ++i) {
        const auto n =
          static_cast<std::uint64_t>(std::max(0, seen.free(members[i])[resource::slots]));
        units += n;
        weight += n * machines.weights(p)[i];
      }
      REQUIRE(seen.units(p) == units);
      REQUIRE(seen.weight(p) == weight);
      if (units > 0)
        REQUIRE(seen.mean_weight(p) == static_cast<double>(weight) / static_cast<double>(units));
      total += units;
    }
    REQUIRE(seen.units() == total);
  }
}
