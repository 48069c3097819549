#include "model/base/random.hpp"
#include "model/metrics/kaplan_meier.hpp"

#include <boost/random/exponential_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <doctest/doctest.h>

#include <algorithm>

using namespace troupe;

namespace {

distribution of(std::initializer_list<double> numbers) {
  distribution d;
  for (auto x : numbers)
    d.add(x);
  return d;
}

} // namespace

TEST_CASE("the estimates of a textbook") {
  // Weeks in remission of 21 leukemia patients (Freireich et al., Blood 1963): S(23) = 0.448, and
  // the mean up to 35 weeks is 23.3.
  const auto ended = of({6, 6, 6, 7, 10, 13, 16, 22, 23});
  const auto open = of({6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35});
  const kaplan_meier k{ended, open};
  CHECK(k.censored());
  CHECK(k.quantile(0.5) == doctest::Approx(23).epsilon(0.02));
  CHECK(k.quantile(0.16) == doctest::Approx(7).epsilon(0.02));
  CHECK(k.quantile(0.27) == doctest::Approx(13).epsilon(0.02));
  CHECK(k.quantile(0.42) == doctest::Approx(22).epsilon(0.02));
  CHECK_FALSE(k.quantile_is_bound(0.5));
  CHECK(k.quantile(0.9) == 35);
  CHECK(k.quantile_is_bound(0.9));
  CHECK(k.max() == 35);
  CHECK(k.quantile_is_bound(1));
  CHECK(k.mean() == doctest::Approx(23.3).epsilon(0.01));
  CHECK(k.mean_is_bound());
}

TEST_CASE("where everything is over, the estimates are those of what is over") {
  const auto ended = of({0.5, 1, 1, 2, 30});
  const distribution open;
  const kaplan_meier k{ended, open};
  CHECK_FALSE(k.censored());
  CHECK(k.mean() == ended.mean());
  for (const double q : {0.0, 0.1, 0.5, 0.9, 0.99, 1.0}) {
    CHECK(k.quantile(q) == ended.quantile(q));
    CHECK_FALSE(k.quantile_is_bound(q));
  }
}

TEST_CASE("where nothing is over, all is a lower bound") {
  const distribution ended;
  const auto open = of({1, 5});
  const kaplan_meier k{ended, open};
  CHECK(k.mean() == 5);
  CHECK(k.mean_is_bound());
  CHECK(k.quantile(0.5) == 5);
  CHECK(k.quantile_is_bound(0.0));
  const kaplan_meier none{ended, ended};
  CHECK(none.empty());
  CHECK(none.mean() == 0);
  CHECK(none.quantile(0.5) == 0);
}

TEST_CASE("waits of months have their quantiles") {
  constexpr double day = 86'400; // s
  const auto ended = of({10 * day, 100 * day, 200 * day});
  const auto open = of({150 * day});
  const kaplan_meier k{ended, open};
  CHECK(k.mean() == doctest::Approx((2.5 * 10 + 2.5 * 100 + 5 * 200) / 10 * day).epsilon(0.01));
  CHECK(k.quantile(0.4) == doctest::Approx(100 * day).epsilon(0.016));
  CHECK(k.quantile(0.9) == doctest::Approx(200 * day).epsilon(0.016));
}

TEST_CASE("what has just begun to wait changes nothing") {
  auto ended = of({1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  const auto open = of({0.001, 0.002});
  const kaplan_meier k{ended, open};
  CHECK(k.mean() == doctest::Approx(ended.mean()).epsilon(0.001));
  CHECK_FALSE(k.mean_is_bound());
  CHECK(k.quantile(0.9) == doctest::Approx(ended.quantile(0.9)).epsilon(0.02));
  CHECK(k.max() == 10);
}

TEST_CASE("an end that comes last leaves nothing unknown, whatever shares its bin") {
  const auto ended = of({1, 100.9});
  const auto open = of({100.1});
  const kaplan_meier k{ended, open};
  CHECK_FALSE(k.mean_is_bound());
  CHECK(k.quantile(0.9) == doctest::Approx(100).epsilon(0.02));
}

TEST_CASE("tasks that never start make the figures what they are") {
  distribution ended; // 2,835 start at once, 745 never
  ended.add(0.0025, 2'835);
  distribution open;
  for (int i = 0; i < 745; ++i)
    open.add(120.0 * i / 744);
  const kaplan_meier k{ended, open};
  CHECK(k.quantile(0.5) == doctest::Approx(0.0025).epsilon(0.01));
  CHECK(k.quantile(0.9) == 120);
  CHECK(k.quantile_is_bound(0.9));
  CHECK(k.mean() == doctest::Approx(120.0 * 745 / 3'580).epsilon(0.01));
}

TEST_CASE("censoring at random does not bias the estimates") {
  auto random = random_stream::derive(1, "test", 0);
  boost::random::exponential_distribution<> takes{1};
  boost::random::uniform_real_distribution<> seen{0, 8};
  distribution ended;
  distribution open;
  for (int i = 0; i < 20'000; ++i) {
    const double time = takes(random);
    const double until = seen(random);
    (time <= until ? ended : open).add(std::min(time, until));
  }
  REQUIRE(open.count() > 2'000);
  const kaplan_meier k{ended, open};
  CHECK(k.mean() == doctest::Approx(1).epsilon(0.03));
  CHECK(k.quantile(0.5) == doctest::Approx(0.693).epsilon(0.03));
  CHECK(k.quantile(0.9) == doctest::Approx(2.303).epsilon(0.03));
  CHECK(ended.quantile(0.9) < 2.1);
}
