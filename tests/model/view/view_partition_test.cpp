#include "model/view/view_partition.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>

using namespace troupe;
using namespace troupe::testing;

namespace {

struct sums {
  std::uint64_t units = 0;
  std::uint64_t weight = 0;

  friend bool operator==(const sums&, const sums&) = default;
};

sums count_one_by_one(const catalog& machines, const view_partition& part) {
  sums s;
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    const auto n =
      static_cast<std::uint64_t>(std::max(0, times_fitting(part.free(i), machines.unit())));
    s.units += n;
    s.weight += n * machines.weights(0)[i];
  }
  return s;
}

/// Charges, corrects and replaces at random, also beyond what is there, and counts after each step.
void compare_with_counting(const catalog& machines, const std::vector<resources>& demands) {
  view_partition part{machines, 0};
  random_stream random{11};
  for (int step = 0; step < 5'000; ++step) {
    const auto i = static_cast<std::uint32_t>(random.below(part.size()));
    const auto& demand = demands[random.below(demands.size())];
    const auto action = random.below(200);
    if (action < 150) {
      part.take(i, demand);
    } else if (action < 199) {
      part.correct(i, machines.machine(machines.members(0)[i]).capacity, 0);
    } else {
      free_table idle{machines, 0};
      idle.take(i, demand);
      part.assign(idle.cells(), {});
    }
    REQUIRE(sums{part.units(), part.weight()} == count_one_by_one(machines, part));
  }
}

catalog three_kinds(std::uint32_t count) {
  const auto scores = lognormal_scores(count);
  std::vector<machine_info> all;
  for (std::uint32_t i = 0; i < count; ++i) {
    auto idle = cpu_and_memory(8000, 16384);
    idle[resource::gpu] = i % 3 == 0 ? 2000 : 0;
    all.push_back({idle, scores[i], 0});
  }
  return {std::move(all), {{"default", {}}}, 1, cpu_and_memory(1000, 2048)};
}

} // namespace

TEST_CASE("the sums stay exact over a long random sequence, for slots") {
  compare_with_counting(slot_catalog(lognormal_scores(100), 1, 3),
                        {one_slot, one_slot, resources::of_slots(2)});
}

TEST_CASE("the sums stay exact where the slots of a machine outgrow a byte, and fit again") {
  compare_with_counting(slot_catalog(lognormal_scores(130), 1, 120),
                        {one_slot, resources::of_slots(70), resources::of_slots(-9)});
}

TEST_CASE("the sums stay exact over a long random sequence, for several kinds of resource") {
  compare_with_counting(three_kinds(70), {cpu_and_memory(500, 3000), cpu_and_memory(3000, 100),
                                          cpu_and_memory(1000, 2048)});
}

TEST_CASE("positions by weight and by unit run through the machines in order") {
  const auto machines = slot_catalog({4, 2, 1}, 1, 2);
  view_partition part{machines, 0};
  const std::uint64_t w = machines.weights(0)[2];
  REQUIRE(part.weight() == 14 * w);
  CHECK(part.machine_at_weight(0) == 0);
  CHECK(part.machine_at_weight(8 * w - 1) == 0);
  CHECK(part.machine_at_weight(8 * w) == 1);
  CHECK(part.machine_at_weight(12 * w - 1) == 1);
  CHECK(part.machine_at_weight(12 * w) == 2);
  CHECK(part.machine_at_weight(14 * w - 1) == 2);
  CHECK(part.machine_at_unit(1) == 0);
  CHECK(part.machine_at_unit(2) == 1);
  CHECK(part.machine_at_unit(5) == 2);

  part.take(0, resources::of_slots(2));
  part.take(1, one_slot);
  CHECK(part.machine_at_weight(0) == 1);
  CHECK(part.machine_at_weight(2 * w) == 2);
  CHECK(part.machine_at_unit(0) == 1);
  CHECK(part.machine_at_unit(1) == 2);
}

TEST_CASE("every position leads to the machine that counting leads to, over many blocks") {
  const auto machines = slot_catalog(lognormal_scores(150), 1, 2);
  view_partition part{machines, 0};
  random_stream random{3};
  for (int i = 0; i < 200; ++i)
    part.take(static_cast<std::uint32_t>(random.below(150)), one_slot);
  std::uint64_t unit = 0;
  std::uint64_t weight = 0;
  for (std::uint32_t i = 0; i < part.size(); ++i)
    for (auto k = part.free(i)[resource::slots]; k > 0; --k) {
      REQUIRE(part.machine_at_unit(unit++) == i);
      REQUIRE(part.machine_at_weight(weight) == i);
      weight += machines.weights(0)[i];
      REQUIRE(part.machine_at_weight(weight - 1) == i);
    }
  CHECK(unit == part.units());
  CHECK(weight == part.weight());
}

TEST_CASE("the first machine that fits is looked for from anywhere, around the end") {
  const auto machines = even_catalog(4, 1, 2);
  view_partition part{machines, 0};
  part.take(3, one_slot);
  part.take(0, resources::of_slots(2));
  CHECK(part.first_fitting(3, one_slot) == 3);
  CHECK(part.first_fitting(3, resources::of_slots(2)) == 1);
  CHECK_FALSE(part.first_fitting(2, resources::of_slots(3)));
}

TEST_CASE("a machine that is overdrawn in one kind counts for nothing") {
  const auto machines = three_kinds(2);
  view_partition part{machines, 0};
  part.take(0, cpu_and_memory(9000, 0));
  CHECK(part.units() == 8);
  CHECK(part.weight() == 8ULL * machines.weights(0)[1]);
  CHECK(part.machine_at_unit(0) == 1);
  part.take(1, cpu_and_memory(0, 20000));
  CHECK(part.units() == 0);
  CHECK(part.weight() == 0);
}

TEST_CASE("versions start at 0, move with each charge and come with corrections and snapshots") {
  const auto machines = even_catalog(3, 1, 2);
  view_partition part{machines, 0};
  CHECK(part.version(1) == 0);
  part.take(1, one_slot);
  CHECK(part.version(1) == 1);
  part.correct(1, one_slot, 7);
  CHECK(part.version(1) == 7);
  part.assign({2, 1, 0}, {3, 4, 5});
  CHECK(part.version(0) == 3);
  CHECK(part.version(2) == 5);
  part.take(0, one_slot);
  CHECK(part.version(0) == 4);
}

TEST_CASE("snapshots without versions leave none") {
  const auto machines = even_catalog(3, 1, 2);
  view_partition part{machines, 0};
  part.assign({2, 1, 0}, {});
  part.take(0, one_slot);
  part.correct(1, one_slot, 7);
  CHECK(part.version(0) == 0);
  CHECK(part.version(1) == 0);
}

TEST_CASE("a snapshot that does not fit the partition is refused whole") {
  const auto machines = even_catalog(3, 1, 2);
  view_partition part{machines, 0};
  CHECK_THROWS_AS(part.assign({0, 0}, {}), std::invalid_argument);
  CHECK_THROWS_AS(part.assign({0, 0, 0}, {1, 2}), std::invalid_argument);
  CHECK(part.units() == 6);
}
