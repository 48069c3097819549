#include "experiments/expectations/value_error.hpp"
#include "experiments/sweeps/goal.hpp"

#include <doctest/doctest.h>

using namespace troupe;

namespace {

std::vector<seed_result> seeds_with(const std::vector<double>& values) {
  std::vector<seed_result> seeds;
  for (const double x : values) {
    auto& seed = seeds.emplace_back();
    seed.seed = seeds.size();
    seed.summary["x"]["y"] = x;
  }
  return seeds;
}

} // namespace

TEST_CASE("names are paths where a goal has no braces") {
  CHECK(with_braces("scheduling_delay_s.p99 <= 1.5") == "{scheduling_delay_s.p99} <= 1.5");
  CHECK(with_braces("max(a.b, c) < 1e3 && d>=2") == "max({a.b}, {c}) < 1e3 && {d}>=2");
  CHECK(with_braces("phases.2.delay < 1") == "{phases.2.delay} < 1");
  CHECK(with_braces("{a-b.c} < x") == "{a-b.c} < x");
}

TEST_CASE("a goal must name values of the run") {
  CHECK(fault_of_goal("{x} <= 1") == "");
  CHECK(fault_of_goal("1 <= 1") != "");
  CHECK(fault_of_goal("{run: x} <= 1") != "");
  CHECK(fault_of_goal("{x} <=") != "");
  CHECK(fault_of_goal("{x} = 1") != "");
  CHECK(fault_of_goal("{x}").find("expected a comparison") != std::string::npos);
  CHECK(fault_of_goal("{x} == 2 && {x} < 3") == "");
}

TEST_CASE("a goal is true of the means, and lacks something where it is not") {
  const auto seeds = seeds_with({1, 2, 6});
  const auto good = goal_report_of("{x.y} <= 3", seeds);
  CHECK(good.good);
  REQUIRE(good.values.size() == 1);
  CHECK(good.values[0].mean == 3);
  REQUIRE(good.lack);
  CHECK(good.lack->mean == 0);
  const auto bad = goal_report_of("{x.y} > 2 * 5", seeds);
  CHECK_FALSE(bad.good);
  CHECK(bad.lack->mean == 7);
  CHECK(bad.lack->half_width.has_value());
  CHECK_FALSE(goal_report_of("{x.y} > 1 && {x.y} < 5", seeds).lack);
  CHECK_FALSE(goal_report_of("max({x.y} > 1, 0)", seeds).lack);
}

TEST_CASE("a goal cannot be told from a seed that failed") {
  auto seeds = seeds_with({1, 2});
  seeds[1].summary = nullptr;
  seeds[1].failure = "exit code 1";
  CHECK_THROWS_WITH_AS(goal_report_of("{x.y} < 1", seeds), "seed 2: it failed with exit code 1",
                       value_error);
}

TEST_CASE("seeds decide on a goal where its bound is outside of the confidence interval") {
  CHECK(is_undecided(goal_report_of("{x.y} <= 5", seeds_with({0.25, 0.25, 7})).lack));
  CHECK_FALSE(is_undecided(goal_report_of("{x.y} <= 5", seeds_with({1, 2, 3})).lack));
  CHECK_FALSE(is_undecided(goal_report_of("{x.y} <= 1", seeds_with({4, 5, 6})).lack));
  CHECK_FALSE(is_undecided(goal_report_of("{x.y} <= 5", seeds_with({5, 5})).lack));
  CHECK_FALSE(is_undecided(goal_report_of("{x.y} <= 5", seeds_with({2})).lack));
}
