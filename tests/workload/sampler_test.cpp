#include "model/base/distribution.hpp"
#include "workload/generate/request.hpp"
#include "workload/generate/sampler.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

namespace troupe {

namespace {

constexpr int draws = 400'000;
constexpr double endless = std::numeric_limits<double>::infinity();

distribution_settings exponential(double mean, double min = 0, double max = 1e9) {
  return {.kind = distribution_kind::exponential, .value = mean, .min = min, .max = max};
}

distribution_settings lognormal(double mu, double sigma, double min = 0, double max = 1e9) {
  return {.kind = distribution_kind::lognormal, .mu = mu, .sigma = sigma, .min = min, .max = max};
}

distribution_settings quantiles(std::vector<double> levels, std::vector<double> values,
                                double min = 0, double max = 1e9) {
  return {.kind = distribution_kind::quantiles,
          .levels = levels,
          .values = values,
          .min = min,
          .max = max};
}

moments drawn(const sampler& sample) {
  auto random = random_stream::derive(7, "sampler", 0);
  moments seen;
  for (int i = 0; i < draws; ++i)
    seen.add(sample(random));
  return seen;
}

/// Checks the mean of many draws against the exact one, within 4 standard errors.
void check_mean(const distribution_settings& settings, double exact) {
  const sampler sample{settings};
  CHECK(sample.mean() == doctest::Approx(exact).epsilon(1e-9));
  const auto seen = drawn(sample);
  const double spread = std::sqrt(seen.sum_of_squares / draws - seen.mean() * seen.mean());
  CHECK(std::abs(seen.mean() - exact) < 4 * spread / std::sqrt(double{draws}));
  CHECK(seen.min >= settings.min);
  CHECK(seen.max <= settings.max);
}

/// Checks the mean of many rounded draws against `mean_count`, within 4 standard errors.
void check_mean_count(const distribution_settings& settings) {
  const sampler sample{settings};
  auto random = random_stream::derive(8, "sampler", 0);
  moments seen;
  for (int i = 0; i < draws; ++i)
    seen.add(sample.draw_count(random));
  const double spread = std::sqrt(seen.sum_of_squares / draws - seen.mean() * seen.mean());
  CHECK(std::abs(seen.mean() - sample.mean_count()) < 4 * spread / std::sqrt(double{draws}));
}

} // namespace

TEST_CASE("a fixed distribution gives its value, within its bounds") {
  random_stream random;
  CHECK(sampler{{.value = 2.5}}(random) == 2.5);
  CHECK(sampler{{.value = 2.5, .max = 2}}(random) == 2);
  CHECK(sampler{{.value = 2.5, .min = 3}}.mean() == 3);
  CHECK(sampler{{.value = 2.5}}.mean_count() == 3);
  CHECK(sampler{{.value = 2.5}}.is_constant());
}

TEST_CASE("the means of all distributions are exact, with and without bounds that bite") {
  check_mean(exponential(3), 3);
  // mean + a for a lower bound's excess: a + m (exp(-a/m) - exp(-b/m))
  check_mean(exponential(2, 1, 5), 1 + 2 * (std::exp(-0.5) - std::exp(-2.5)));
  check_mean(lognormal(0.5, 0.75), std::exp(0.5 + 0.75 * 0.75 / 2));
  check_mean(quantiles({0, 0.5, 1}, {1, 3, 11}), 0.5 * 2 + 0.5 * 7);
  // Uniform on 0 .. 10, clamped to 2 .. 6: 0.2 * 2 + 0.4 * 4 + 0.4 * 6.
  check_mean(quantiles({0, 1}, {0, 10}, 2, 6), 4.4);
  // A flat piece is a single value that many draws have.
  check_mean(quantiles({0, 0.6, 1}, {1, 1, 2}), 0.6 + 0.4 * 1.5);
}

TEST_CASE("a lognormal with bounds has the mean that integrating it numerically gives") {
  const sampler sample{lognormal(1, 1.5, 0.5, 40)};
  double sum = 0;
  constexpr int steps = 400'000;
  for (int i = 0; i < steps; ++i) {
    const double z = -8 + 16 * (i + 0.5) / steps;
    const double weight = std::exp(-z * z / 2) / std::sqrt(2 * std::acos(-1.0)) * 16 / steps;
    sum += weight * std::clamp(std::exp(1 + 1.5 * z), 0.5, 40.0);
  }
  CHECK(sample.mean() == doctest::Approx(sum).epsilon(1e-9));
  check_mean(lognormal(1, 1.5, 0.5, 40), sum);
}

TEST_CASE("quantile tables are linear between their points") {
  const sampler sample{quantiles({0, 0.25, 0.5, 1}, {0, 1, 5, 25})};
  auto random = random_stream::derive(1, "quantiles", 0);
  auto same = random;
  for (int i = 0; i < 1000; ++i) {
    const double u = same.unit();
    const double expected = u < 0.25 ? u * 4 : u < 0.5 ? 1 + (u - 0.25) * 16 : 5 + (u - 0.5) * 40;
    CHECK(sample(random) == doctest::Approx(expected).epsilon(1e-12));
  }
}

TEST_CASE("sizes are rounded to whole numbers of at least 1") {
  random_stream random;
  CHECK(sampler{{.value = 2.4}}.draw_count(random) == 2);
  CHECK(sampler{{.value = 0.2}}.draw_count(random) == 1);
  CHECK(sampler{{.value = 1e30, .max = endless}}.draw_count(random) == 4294967295U);
  // Uniform on 0.5 .. 4.5: 1, 2, 3, 4 with a quarter each.
  CHECK(sampler{quantiles({0, 1}, {0.5, 4.5})}.mean_count() == doctest::Approx(2.5));
  // max(1, round(X)) of an exponential: 1 plus a geometric series from 1.5 on.
  CHECK(sampler{exponential(1.5)}.mean_count() ==
        doctest::Approx(1 + std::exp(-1.0) / (1 - std::exp(-1 / 1.5))).epsilon(1e-9));
  check_mean_count(exponential(0.7));
  check_mean_count(lognormal(1, 1, 0, 30));
  check_mean_count(quantiles({0, 0.4, 0.8, 1}, {1, 1, 6.5, 6.5}));
  check_mean_count(quantiles({0, 0.5, 1}, {150'000, 150'000, 200'000}));
}

TEST_CASE("durations are whole nanoseconds, at least one and at most 10^9 s") {
  random_stream random;
  CHECK(sampler{{.value = 0.25}}.draw_duration(random) == std::chrono::milliseconds{250});
  CHECK(sampler{{.value = 0}}.draw_duration(random) == duration{1});
  CHECK(sampler{{.value = 1e12, .max = endless}}.draw_duration(random) ==
        std::chrono::seconds{1'000'000'000});
  const sampler tiny{exponential(1e-10)};
  for (int i = 0; i < 100; ++i)
    CHECK(tiny.draw_duration(random) >= duration{1});
}

TEST_CASE("the numbers are the same on every platform") {
  auto random = random_stream::derive(1, "golden", 0);
  const sampler e{exponential(1)};
  const sampler l{lognormal(0, 1)};
  const sampler q{quantiles({0, 1}, {0, 1})};
  CHECK(e(random) == doctest::Approx(1.0515965511352268).epsilon(1e-12));
  CHECK(l(random) == doctest::Approx(0.57523959911655679).epsilon(1e-12));
  CHECK(q(random) == doctest::Approx(0.87890165927012931).epsilon(1e-12));
}

TEST_CASE("settings that contradict themselves are refused") {
  CHECK_THROWS_AS(sampler({.min = 2, .max = 1}), std::invalid_argument);
  CHECK_THROWS_AS(sampler(quantiles({0}, {1})), std::invalid_argument);
  CHECK_THROWS_AS(sampler(quantiles({0, 1}, {1})), std::invalid_argument);
  CHECK_THROWS_AS(sampler(quantiles({0, 0.9}, {1, 2})), std::invalid_argument);
  CHECK_THROWS_AS(sampler(quantiles({0, 0.5, 0.5, 1}, {1, 2, 3, 4})), std::invalid_argument);
  CHECK_THROWS_AS(sampler(quantiles({0, 1}, {2, 1})), std::invalid_argument);
}

TEST_CASE("a request is in milli-CPU, MiB, milli-GPU and slots") {
  random_stream random;
  workload_settings settings;
  CHECK(request_sampler{settings}(random) == resources::of_slots(1));
  settings.cpu = 0.5;
  settings.memory = 1.5;
  settings.gpu = 0.25;
  settings.slots = 3;
  const auto demand = request_sampler{settings}(random);
  CHECK(demand[resource::cpu] == 500);
  CHECK(demand[resource::memory] == 1536);
  CHECK(demand[resource::gpu] == 250);
  CHECK(demand[resource::slots] == 3);
}

TEST_CASE("weighted requests are drawn by their weights and stand in for the single one") {
  workload_settings settings;
  settings.cpu = 7;
  settings.requests = {{.weight = 3, .cpu = 0.5}, {.weight = 0, .cpu = 9}, {.weight = 1, .cpu = 1}};
  const request_sampler sample{settings};
  auto random = random_stream::derive(3, "requests", 0);
  std::map<std::int32_t, int> seen;
  for (int i = 0; i < draws; ++i)
    ++seen[sample(random)[resource::cpu]];
  CHECK(seen.size() == 2);
  CHECK(seen[500] == doctest::Approx(0.75 * draws).epsilon(0.005));
  CHECK(seen[1000] == doctest::Approx(0.25 * draws).epsilon(0.015));
}

TEST_CASE("a request brings its constraints to the tasks") {
  workload_settings settings;
  settings.requests = {{.weight = 1, .cpu = 1, .constraints = {"disk == ssd", "rack != r1"}}};
  random_stream random;
  task_group group;
  request_sampler{settings}.fill(group, random);
  CHECK(group.demand[resource::cpu] == 1000);
  CHECK(group.constraints ==
        std::vector{parse_constraint("disk == ssd"), parse_constraint("rack != r1")});
  settings.requests[0].constraints = {"disk"};
  CHECK_THROWS_AS(request_sampler{settings}, std::invalid_argument);
}

TEST_CASE("weights that make no sense are refused") {
  workload_settings settings;
  settings.requests = {{.weight = -1}, {.weight = 2}};
  CHECK_THROWS_AS(request_sampler{settings}, std::invalid_argument);
  settings.requests = {{.weight = 0}};
  CHECK_THROWS_AS(request_sampler{settings}, std::invalid_argument);
}

} // namespace troupe
