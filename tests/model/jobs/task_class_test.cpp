#include "model/view/view.hpp"
#include "support/attribute_cluster.hpp"
#include "support/chi_square.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

const std::vector<task_class> two_classes{
  {"fast", {{parse_constraint("disk == ssd"), 0.7}, {parse_constraint("generation > 2018"), 0.3}}},
  {"cheap", {{parse_constraint("disk == hdd"), 0.5}}}};

/// Machines of two kinds, in turn, with lognormal scores.
catalog mixed(std::uint32_t count, std::uint32_t partitions) {
  const auto scores = lognormal_scores(count);
  std::vector<machine_info> machines;
  for (std::uint32_t i = 0; i < count; ++i)
    machines.push_back({resources::of_slots(2), scores[i], i % 3 == 0 ? ssd : hdd});
  return {std::move(machines),
          {{"old", {{"disk", "hdd"}, {"generation", "2016"}}},
           {"new", {{"disk", "ssd"}, {"generation", "2020"}}}},
          partitions,
          one_slot,
          two_classes};
}

} // namespace

TEST_CASE("a class multiplies the score by the exponential of the weights that are met") {
  const auto machines = disk_catalog({ssd, hdd}, 1, 1, two_classes);
  CHECK(machines.task_classes() == 3);
  CHECK(machines.score(0, 0) == machines.score(0));
  CHECK(machines.score(0, 1) == doctest::Approx(std::exp(0.7 + 0.3)));
  CHECK(machines.score(0, 2) == doctest::Approx(1));
  CHECK(machines.score(1, 1) == doctest::Approx(0.5));
  CHECK(machines.score(1, 2) == doctest::Approx(0.5 * std::exp(0.5)));
}

TEST_CASE("the weights of each class are its scores, relative to its best") {
  const auto machines = mixed(1'000, 10);
  for (std::uint32_t c = 0; c < 3; ++c)
    for (partition_id p = 0; p < 10; ++p)
      for (std::size_t i = 0; i < machines.members(p).size(); ++i)
        REQUIRE(machines.weights(p, c)[i] / machines.weight_of_one(c) ==
                doctest::Approx(machines.score(machines.members(p)[i], c)).epsilon(1e-3));
}

TEST_CASE("partitions are balanced for every class") {
  const auto machines = mixed(10'000, 100);
  for (std::uint32_t c = 0; c < 3; ++c) {
    CAPTURE(c);
    double overall = 0;
    std::vector<double> means(100);
    for (partition_id p = 0; p < 100; ++p) {
      for (auto m : machines.members(p))
        means[p] += machines.score(m, c) / static_cast<double>(machines.members(p).size());
      overall += means[p] / 100;
    }
    for (auto mean : means)
      CHECK(std::abs(mean / overall - 1) < 0.08);
  }
}

TEST_CASE("a class that makes a score infinite is refused") {
  const std::vector<task_class> bad{{"bad", {{parse_constraint("disk == ssd"), 1e4}}}};
  CHECK_THROWS_AS(disk_catalog({ssd}, 1, 1, bad), std::invalid_argument);
}

TEST_CASE("a view keeps the sums of every class exact") {
  const auto machines = mixed(150, 3);
  view seen{machines, 0s};
  auto random = random_stream::derive(1, "task_class_test", 0);
  for (int step = 0; step < 400; ++step) {
    const auto m = static_cast<machine_id>(random.below(150));
    if (random.below(10) == 0)
      seen.correct(m, resources::of_slots(static_cast<std::int32_t>(random.below(3))), 0);
    else if (random.below(100) == 0)
      seen.apply({1, 1s, std::vector<std::int32_t>(50, 1), {}}, 1);
    else
      seen.take(m, one_slot); // also beyond what is there
    for (std::uint32_t c = 0; c < 3; ++c)
      for (partition_id p = 0; p < 3; ++p) {
        std::uint64_t weight = 0;
        for (std::size_t i = 0; i < 50; ++i)
          weight += std::uint64_t{machines.weights(p, c)[i]} *
                    static_cast<std::uint64_t>(
                      std::max(0, seen.free(machines.members(p)[i])[resource::slots]));
        REQUIRE(seen.weight(p, c) == weight);
        REQUIRE(seen.mean_weights(c)[p] == seen.mean_weight(p, c));
        if (seen.units(p) > 0)
          REQUIRE(seen.mean_weight(p, c) ==
                  static_cast<double>(weight) / static_cast<double>(seen.units(p)));
      }
  }
}

TEST_CASE("sampling by score goes by the scores of the task's class") {
  const auto machines = mixed(200, 1);
  view seen{machines, 0s};
  for (machine_id m = 0; m < 200; m += 3)
    seen.take(m, one_slot);
  for (std::uint32_t c = 0; c < 3; ++c) {
    CAPTURE(c);
    random_stream random{c};
    std::vector<std::uint64_t> counts(200);
    for (int i = 0; i < 40'000; ++i)
      ++counts[seen.sample_by_score(0, task_request{{}, one_slot, {}, c}, random).value()];
    std::vector<double> expected;
    for (machine_id m = 0; m < 200; ++m)
      expected.push_back(machines.score(m, c) * seen.free(m)[resource::slots]);
    CHECK(agrees(counts, expected));
  }
}
