#include "model/metrics/kaplan_meier.hpp"
#include "report/page/plots/delay_curve.hpp"
#include "report/page/run_directory.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace troupe;

namespace {

/// Returns the delay within which a share of the tasks was placed.
double quantile_of(const delay_curve& curve, double q) {
  const auto at = std::ranges::lower_bound(curve.share, q);
  return curve.delay_s[static_cast<std::size_t>(at - curve.share.begin())];
}

} // namespace

TEST_CASE("a curve without waiting tasks has the quantiles of the delays") {
  auto results = sample_results();
  distribution delays;
  for (int i = 1; i <= 10'000; ++i)
    delays.add(std::exp(i / 2000.0));
  results.series[0].sample.delay = delays;
  const run_directory here(results);
  const auto curve = delay_curve_of(read_columns(here.path() / "delays.csv"), "b");
  CHECK(curve.delay_s.empty());
  results.series[2].sample.delay = {};
  const run_directory alone(results);
  const auto of = delay_curve_of(read_columns(alone.path() / "delays.csv"));
  CHECK(of.share.back() == 1);
  CHECK(of.delay_s.size() <= 1000);
  CHECK(std::ranges::is_sorted(of.share));
  CHECK(std::ranges::is_sorted(of.delay_s));
  for (double q : {0.1, 0.5, 0.9, 0.99})
    CHECK(quantile_of(of, q) == doctest::Approx(delays.quantile(q)).epsilon(0.03));
}

TEST_CASE("tasks that wait count as censored, as in the summary") {
  auto results = sample_results();
  distribution delays;
  distribution waiting;
  for (int i = 1; i <= 5000; ++i)
    delays.add(i / 1000.0);
  for (int i = 1; i <= 500; ++i)
    waiting.add(i / 200.0);
  results.series.resize(1);
  results.series[0].sample.delay = delays;
  results.series[0].sample.waiting = waiting;
  const run_directory here(results);
  const auto of = delay_curve_of(read_columns(here.path() / "delays.csv"), "a");
  const kaplan_meier expected{delays, waiting};
  for (double q : {0.25, 0.5, 0.9})
    CHECK(quantile_of(of, q) == doctest::Approx(expected.quantile(q)).epsilon(0.03));
}
