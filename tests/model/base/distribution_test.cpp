#include "model/base/distribution.hpp"
#include "model/base/random.hpp"
#include "model/metrics/metrics.hpp"

#include <boost/random/exponential_distribution.hpp>
#include <boost/random/lognormal_distribution.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

using namespace troupe;

namespace {

std::vector<double> draw(std::size_t n, const std::function<double(random_stream&)>& next) {
  auto random = random_stream::derive(1, "distribution_test", 0);
  std::vector<double> numbers;
  for (std::size_t i = 0; i < n; ++i)
    numbers.push_back(next(random));
  return numbers;
}

distribution distribution_of(const std::vector<double>& numbers) {
  distribution d;
  for (auto x : numbers)
    d.add(x);
  return d;
}

/// Checks every quantile against the sorted numbers: it must lie within a bin's width of the two
/// neighbours of its rank.
void check_quantiles(std::vector<double> numbers) {
  const auto d = distribution_of(numbers);
  std::sort(numbers.begin(), numbers.end());
  for (double q : {0.0, 0.001, 0.01, 0.25, 0.5, 0.9, 0.95, 0.99, 0.999, 1.0}) {
    CAPTURE(q);
    const auto rank = q * static_cast<double>(numbers.size() - 1);
    const auto below = numbers[static_cast<std::size_t>(std::floor(rank))];
    const auto above = numbers[static_cast<std::size_t>(std::ceil(rank))];
    CHECK(d.quantile(q) >= below / (1 + 1.0 / 64) - 1e-6);
    CHECK(d.quantile(q) <= above * (1 + 1.0 / 64) + 1e-6);
  }
}

} // namespace

TEST_CASE("an empty distribution says zero to everything") {
  const distribution d;
  CHECK(d.empty());
  CHECK(d.count() == 0);
  CHECK(d.sum() == 0);
  CHECK(d.mean() == 0);
  CHECK(d.quantile(0.5) == 0);
  CHECK(d.bins().empty());
}

TEST_CASE("count, sum and extremes are exact") {
  distribution d;
  d.add(0.25);
  d.add(4, 3);
  d.add(1.5, 0);
  d.add(0.5);
  CHECK(d.count() == 5);
  CHECK(d.sum() == 12.75);
  CHECK(d.mean() == 2.55);
  CHECK(d.min() == 0.25);
  CHECK(d.max() == 4);
  CHECK(d.quantile(0) == 0.25);
  CHECK(d.quantile(1) == 4);
}

TEST_CASE("quantiles are within a bin's width of the exact ones") {
  SUBCASE("uniform") {
    check_quantiles(draw(10'000, [](auto& r) { return 3 + 2 * r.unit(); }));
  }
  SUBCASE("exponential") {
    check_quantiles(
      draw(10'000, [](auto& r) { return boost::random::exponential_distribution<>{0.2}(r); }));
  }
  SUBCASE("lognormal over ten decades") {
    check_quantiles(draw(10'000, [](auto& r) {
      return boost::random::lognormal_distribution<>{-3, 3}(r);
    }));
  }
  SUBCASE("two far peaks") {
    check_quantiles(draw(1'001, [](auto& r) { return r.below(2) == 0 ? 0.002 : 700.0; }));
  }
  SUBCASE("mostly zero") {
    check_quantiles(draw(1'000, [](auto& r) { return r.below(10) < 9 ? 0.0 : 0.125; }));
  }
  SUBCASE("three numbers") {
    check_quantiles({0.1, 0.2, 0.4});
  }
}

TEST_CASE("equal numbers have only one quantile") {
  for (double x : {0.0, 1e-9, 0.0005, 1.0, 12.5, 4e7}) {
    CAPTURE(x);
    distribution d;
    d.add(x, 1'000);
    for (double q : {0.0, 0.01, 0.5, 0.99, 1.0})
      CHECK(d.quantile(q) == x);
  }
}

TEST_CASE("numbers beyond the range count as its lowest and its highest bin") {
  distribution d;
  d.add(0);
  d.add(-1);
  d.add(1e-9);
  d.add(1e10);
  CHECK(d.bins() == std::vector<distribution::bin>{{0, 3}, {distribution::bin_count - 1, 1}});
  CHECK(d.min() == -1);
  CHECK(d.max() == 1e10);
}

TEST_CASE("a bin is at most 1.6 % wide") {
  for (double x = 1.01e-6; x < 1e9; x *= 1.37) {
    CAPTURE(x);
    distribution d;
    d.add(x);
    d.add(x * (1 + 1.0 / 63));
    CHECK(d.bins().size() == 2);
  }
}

TEST_CASE("the quantiles of waits of months are exact to a bin") {
  constexpr double day = 86'400; // s
  distribution d;
  d.add(0);
  for (int i = 0; i < 100; ++i)
    d.add((100 + i) * day);
  CHECK(d.quantile(0.5) == doctest::Approx(149 * day).epsilon(0.016));
  CHECK(d.quantile(0.9) == doctest::Approx(189 * day).epsilon(0.016));
}

TEST_CASE("merging gives what adding everything to one gives") {
  const auto numbers = draw(3'000, [](auto& r) { return std::ldexp(r.unit(), 5); });
  distribution parts[3];
  for (std::size_t i = 0; i < numbers.size(); ++i)
    parts[i % 3].add(numbers[i]);
  const auto all = distribution_of(numbers);
  distribution merged;
  merged.merge(distribution{});
  CHECK(merged.empty());
  for (const auto& part : parts)
    merged.merge(part);
  merged.merge(distribution{});
  CHECK(merged.bins() == all.bins());
  CHECK(merged.count() == all.count());
  CHECK(merged.min() == all.min());
  CHECK(merged.max() == all.max());
  CHECK(merged.sum() == doctest::Approx(all.sum()).epsilon(1e-12));
  CHECK(merged.quantile(0.7) == all.quantile(0.7));
}

TEST_CASE("a distribution is the same again after its parts were taken and put together") {
  auto numbers = draw(500, [](auto& r) { return std::ldexp(r.unit(), -4); });
  numbers.push_back(0);
  numbers.push_back(2e7);
  const auto d = distribution_of(numbers);
  CHECK(distribution::from_parts(d.sum(), d.min(), d.max(), d.bins()) == d);
  CHECK(distribution::from_parts(0, 0, 0, {}) == distribution{});
  const auto foreign = distribution::from_parts(5, 5, 5, {{4'000'000'000, 1}});
  CHECK(foreign.bins() == std::vector<distribution::bin>{{distribution::bin_count - 1, 1}});
}

TEST_CASE("equality looks at everything") {
  const auto d = distribution_of({1, 2, 3});
  CHECK(d == distribution_of({3, 2, 1}));
  CHECK_FALSE(d == distribution_of({1, 2, 3, 3}));
  CHECK_FALSE(d == distribution_of({1, 2, 3.001}));
  CHECK_FALSE(d == distribution{});
}

TEST_CASE("copies are independent and moving leaves an empty distribution") {
  auto d = distribution_of({1, 2, 3});
  auto copy = d;
  copy.add(10);
  CHECK(d.count() == 3);
  CHECK(copy.count() == 4);
  const auto moved = std::move(copy);
  CHECK(moved.count() == 4);
  CHECK(copy == distribution{}); // NOLINT(bugprone-use-after-move)
  copy.add(7);
  CHECK(copy == distribution_of({7}));
  copy = d;
  CHECK(copy == d);
}

TEST_CASE("a copy takes in what its original would") {
  random_stream random{7};
  for (int i = 0; i < 50; ++i) {
    distribution one;
    const auto any = [&] { return std::exp2(static_cast<double>(random.below(400)) / 10 - 20); };
    for (int n = 0; n < 5; ++n)
      one.add(any());
    auto copy = one;
    CHECK(copy == one);
    distribution assigned;
    assigned.add(1);
    assigned = one;
    for (int n = 0; n < 5; ++n) {
      const auto x = any();
      one.add(x);
      copy.add(x);
      assigned.add(x);
    }
    copy.merge(assigned);
    auto twice = one;
    twice.merge(one);
    CHECK(assigned == one);
    CHECK(copy == twice);
  }
}

TEST_CASE("equal numbers have no standard deviation, however they are rounded") {
  for (const double x : {1.0, std::exp(1.0), std::exp(20.0)}) {
    CAPTURE(x);
    moments m;
    for (int i = 0; i < 200; ++i)
      m.add(x);
    CHECK(m.stddev() == 0);
  }
}

TEST_CASE("moments") {
  moments m;
  CHECK(m.stddev() == 0);
  for (double x : {2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0})
    m.add(x);
  CHECK(m.mean() == 5);
  CHECK(m.stddev() == doctest::Approx(2));

  moments other;
  other.add(-3);
  m.merge(other);
  m.merge(moments{});
  CHECK(m.count == 9);
  CHECK(m.min == -3);
  CHECK(m.max == 9);
  CHECK(m.sum == 37);
  moments empty;
  empty.merge(m);
  CHECK(empty.min == -3);
  CHECK(empty.count == 9);
}

TEST_CASE("samples of two schedulers add up") {
  scheduler_sample a;
  a.tasks = {10, 9, 8, 0, 0, 0, 1, 0, 1};
  a.conflicts = 3;
  a.conflicts_by_cause = {2, 1, 0, 0};
  a.busy = duration{500};
  a.delay.add(0.5, 9);
  a.age = {0.5, 1, 0.25, 0.75};
  a.oldest_partition = duration{7};
  scheduler_sample b;
  b.tasks = {5, 5, 2, 1, 1, 1, 0, 0, 0};
  b.conflicts = 1;
  b.conflicts_by_cause = {0, 0, 0, 1};
  b.busy = duration{250};
  b.delay.add(0.25);
  b.age = {3, 2, 0.125, 0.5};
  b.oldest_partition = duration{9};

  a.merge(b);
  a.merge(scheduler_sample{});
  CHECK(a.tasks.submitted == 15);
  CHECK(a.tasks.placed == 14);
  CHECK(a.tasks.balanced());
  CHECK(a.conflicts == 4);
  CHECK(a.conflicts_by_cause == std::array<std::uint64_t, conflict_causes>{2, 1, 0, 1});
  CHECK(a.busy == duration{750});
  CHECK(a.delay.count() == 10);
  CHECK(a.age.mean() == doctest::Approx(3.5 / 3));
  CHECK(a.age.min == 0.125);
  CHECK(a.age.max == 0.75);
  CHECK(a.oldest_partition == duration{9});
}
