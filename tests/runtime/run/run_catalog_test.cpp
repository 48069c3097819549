#include "runtime/cluster/build_catalog.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace troupe;

namespace {

machine_class one(const char* name, double share, double cpu = 1) {
  machine_class c;
  c.name = name;
  c.share = share;
  c.cpu = cpu;
  c.memory = 2;
  return c;
}

/// The scores of all machines, in rising order.
std::vector<double> scores_of(const catalog& c) {
  std::vector<double> scores;
  for (machine_id m = 0; m < c.machines(); ++m)
    scores.push_back(c.machine(m).score);
  std::sort(scores.begin(), scores.end());
  return scores;
}

} // namespace

TEST_CASE("shares become whole machines, the largest remainders first") {
  using sizes = std::vector<std::uint32_t>;
  CHECK(class_sizes({one("a", 1)}, 7) == sizes{7});
  CHECK(class_sizes({one("a", 1), one("b", 3)}, 8) == sizes{2, 6});
  CHECK(class_sizes({one("a", 1), one("b", 1), one("c", 1)}, 8) == sizes{3, 3, 2});
  CHECK(class_sizes({one("a", 5), one("b", 3), one("c", 2)}, 7) == sizes{4, 2, 1});
  CHECK(class_sizes({one("a", 1), one("b", 1000)}, 3) == sizes{0, 3});
}

TEST_CASE("amounts are whole milli-CPU, MiB and milli-GPU") {
  const auto r = to_resources(1.5, 0.25, 0.1, 3);
  CHECK(r[resource::cpu] == 1500);
  CHECK(r[resource::memory] == 256);
  CHECK(r[resource::gpu] == 100);
  CHECK(r[resource::slots] == 3);
}

TEST_CASE("machines without classes have slots and nothing else") {
  cluster_settings s;
  s.machines = 10;
  s.slots = 3;
  s.partitions = 5;
  const auto c = build_catalog(s, 1);
  CHECK(c.machines() == 10);
  CHECK(c.partitions() == 5);
  CHECK(c.units() == 30);
  CHECK(c.unit() == resources::of_slots(1));
  for (machine_id m = 0; m < 10; ++m)
    CHECK(c.machine(m).capacity == resources::of_slots(3));
}

TEST_CASE("the unit follows the classes unless it is given") {
  cluster_settings s;
  s.machines = 4;
  s.partitions = 1;
  s.classes = {one("a", 1, 2), one("b", 1, 6)};
  CHECK(build_catalog(s, 1).unit() == to_resources(1, 0.5, 0, 0)); // 4 GiB for 8 cores
  s.classes[0].slots = 1;
  CHECK(build_catalog(s, 1).unit() == resources::of_slots(1));
  s.unit_cpu = 2;
  CHECK(build_catalog(s, 1).unit() == to_resources(2, 0, 0, 0));
}

TEST_CASE("machines are of the kinds that the classes describe") {
  cluster_settings s;
  s.machines = 6;
  s.partitions = 2;
  s.classes = {one("a", 1, 2), one("b", 2, 6)};
  const auto c = build_catalog(s, 1);
  int of_a = 0;
  for (machine_id m = 0; m < 6; ++m) {
    const bool a = c.kind_of(m).name == "a";
    of_a += a;
    CHECK(c.machine(m).capacity == to_resources(a ? 2 : 6, 2, 0, 0));
  }
  CHECK(of_a == 2);
}

TEST_CASE("scores are lognormal and depend on the seed alone") {
  cluster_settings s;
  s.machines = 20'000;
  s.partitions = 10;
  const auto scores = scores_of(build_catalog(s, 1));
  CHECK(scores != scores_of(build_catalog(s, 2)));
  double sum = 0;
  double squares = 0;
  for (const auto score : scores) {
    sum += std::log(score);
    squares += std::log(score) * std::log(score);
  }
  const double mean = sum / 20'000;
  // mu 0, sigma 0.5: five standard errors of each
  CHECK(std::abs(mean) < 5 * 0.5 / std::sqrt(20'000.0));
  CHECK(std::abs(std::sqrt(squares / 20'000 - mean * mean) - 0.5) < 5 * 0.5 / std::sqrt(40'000.0));
  s.partitions = 20;
  CHECK(scores == scores_of(build_catalog(s, 1)));
}

TEST_CASE("constant scores are all exp(mu)") {
  cluster_settings s;
  s.machines = 3;
  s.partitions = 1;
  s.score.distribution = score_distribution::constant;
  s.score.mu = 1;
  const auto c = build_catalog(s, 9);
  for (machine_id m = 0; m < 3; ++m)
    CHECK(c.machine(m).score == std::exp(1.0));
}

TEST_CASE("task classes score the machines by what their kinds have") {
  cluster_settings s;
  s.machines = 20;
  s.partitions = 4;
  s.classes = {one("fast", 1), one("slow", 1)};
  s.classes[0].attributes = {{"disk", "ssd"}};
  s.classes[1].attributes = {{"disk", "hdd"}};
  const auto plain = build_catalog(s, 1);
  const auto c =
    build_catalog(s, 1, {{"a", {{"disk == ssd", 0.7}}}, {"b", {{"disk != ssd", -1.0}}}});
  REQUIRE(plain.task_classes() == 1);
  REQUIRE(c.task_classes() == 3);
  for (machine_id m = 0; m < 20; ++m) {
    const bool fast = c.kind_of(m).name == "fast";
    CHECK(c.score(m) == plain.score(m));
    CHECK(c.score(m, 1) == doctest::Approx(c.score(m) * (fast ? std::exp(0.7) : 1)));
    CHECK(c.score(m, 2) == doctest::Approx(c.score(m) * (fast ? 1 : std::exp(-1))));
  }
}
