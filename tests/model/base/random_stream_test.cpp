#include "model/base/random.hpp"
#include "support/chi_square.hpp"

#include <boost/random/exponential_distribution.hpp>
#include <boost/random/lognormal_distribution.hpp>
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <unordered_set>
#include <vector>

using namespace troupe;
using troupe::testing::agrees;

namespace {

constexpr int draws = 20'000;

/// The correlation of the numbers of two streams, the second `lag` draws ahead.
double correlation(random_stream a, random_stream b, int lag = 0) {
  for (int i = 0; i < lag; ++i)
    b();
  double sum = 0;
  for (int i = 0; i < draws; ++i)
    sum += (a.unit() - 0.5) * (b.unit() - 0.5);
  return 12 * sum / draws;
}

/// How often two schedulers of one cluster pick the same of `places` places at the same moment.
int clashes(random_stream a, random_stream b, std::uint64_t places) {
  int n = 0;
  for (int i = 0; i < draws; ++i)
    n += a.below(places) == b.below(places);
  return n;
}

} // namespace

TEST_CASE("the generator is SplitMix64, to the bit") {
  random_stream zero{0};
  CHECK(zero() == 0xE220A8397B1DCDAF);
  CHECK(zero() == 0x6E789E6AA1B965F4);
  CHECK(zero() == 0x06C45D188009454F);
  random_stream other{1234567};
  CHECK(other() == 6457827717110365317U);
  CHECK(other() == 3203168211198807973U);
  CHECK(other() == 9817491932198370423U);
}

TEST_CASE("the numbers are the same on every platform") {
  auto bits = random_stream::derive(1, "scheduler", 0);
  CHECK(bits() == 0x894AAFC1BC817B5AU);
  CHECK(bits() == 0x53D3F3AAD8A86F9EU);
  auto dice = random_stream::derive(42, "scheduler", 3);
  std::string rolled;
  for (int i = 0; i < 20; ++i)
    rolled += static_cast<char>('0' + dice.below(10));
  CHECK(rolled == "19770379379343510624");
  auto real = random_stream::derive(42, "workload", 0);
  CHECK(real.unit() == 0x1.27524619ba1ap-1);
  CHECK(boost::random::exponential_distribution<>{0.5}(real) ==
        doctest::Approx(0.010266043085552382).epsilon(1e-13));
  CHECK(boost::random::lognormal_distribution<>{0, 0.5}(real) ==
        doctest::Approx(0.92893222379440299).epsilon(1e-13));
}

TEST_CASE("seed, role and index each make another stream") {
  std::unordered_set<std::uint64_t> first_numbers;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (const auto* role : {"scheduler", "machine", "workload", "link", "a"})
      for (std::uint64_t index = 0; index < 50; ++index)
        first_numbers.insert(random_stream::derive(seed, role, index)());
  CHECK(first_numbers.size() == 20 * 5 * 50);
  CHECK(random_stream::derive(7, "link", 3)() == random_stream::derive(7, "link", 3)());
}

TEST_CASE("the streams of two schedulers of one seed are not correlated, at any small lag") {
  // The correlation of independent numbers is normal with a deviation of 1 / sqrt(draws).
  const double bound = 4 / std::sqrt(draws);
  for (std::uint64_t i = 0; i < 6; ++i)
    for (std::uint64_t j = 0; j < i; ++j)
      for (int lag : {0, 1, 2, 17}) {
        CAPTURE(i);
        CAPTURE(j);
        CAPTURE(lag);
        CHECK(std::abs(correlation(random_stream::derive(1, "scheduler", i),
                                   random_stream::derive(1, "scheduler", j), lag)) < bound);
      }
}

TEST_CASE("the streams of two schedulers of one seed do not overlap") {
  std::unordered_set<std::uint64_t> seen;
  for (std::uint64_t i = 0; i < 20; ++i) {
    auto stream = random_stream::derive(1, "scheduler", i);
    for (int k = 0; k < draws; ++k)
      seen.insert(stream());
  }
  CHECK(seen.size() == 20 * draws);
}

TEST_CASE("schedulers clash as often as chance has it, and always if their streams are equal") {
  const auto a = random_stream::derive(1, "scheduler", 0);
  const auto b = random_stream::derive(1, "scheduler", 1);
  const double expected = draws / 50.0;
  CHECK(std::abs(clashes(a, b, 50) - expected) < 4 * std::sqrt(expected));
  CHECK(clashes(a, a, 50) == draws);
}

TEST_CASE("below is even over its range, also where the bound divides no power of two") {
  for (std::uint64_t bound : {2U, 3U, 7U, 10U, 1000U}) {
    CAPTURE(bound);
    auto random = random_stream::derive(1, "below", bound);
    std::vector<std::uint64_t> counts(bound);
    for (int i = 0; i < 100'000; ++i)
      ++counts[random.below(bound)];
    CHECK(agrees(counts, std::vector<double>(bound, 1.0)));
  }
}

TEST_CASE("below reaches all of a range beyond 2^63 and never its bound") {
  // Taking the rest of a division would count the lower third of this range twice.
  constexpr std::uint64_t third = std::uint64_t{1} << 62;
  random_stream random{5};
  std::vector<std::uint64_t> counts(3);
  for (int i = 0; i < 30'000; ++i)
    ++counts.at(random.below(3 * third) / third);
  CHECK(agrees(counts, {1, 1, 1}));
  CHECK(random.below(1) == 0);
}

TEST_CASE("unit is even over [0, 1)") {
  random_stream random{9};
  std::vector<std::uint64_t> counts(64);
  for (int i = 0; i < 100'000; ++i) {
    const double u = random.unit();
    REQUIRE(u >= 0);
    REQUIRE(u < 1);
    ++counts[static_cast<std::size_t>(u * 64)];
  }
  CHECK(agrees(counts, std::vector<double>(64, 1.0)));
}
