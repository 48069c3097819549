#include "experiments/compare/statistics.hpp"
#include "experiments/expectations/formulas.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

using namespace troupe;

namespace {

estimate of(std::vector<double> values) {
  return estimate_of(values);
}

} // namespace

TEST_CASE("the interval is Student's") {
  // t(0.975) is 12.706 for one degree of freedom, 2.776 for four.
  const auto two = of({1, 3});
  CHECK(two.mean == 2);
  CHECK(two.stddev == doctest::Approx(std::sqrt(2.0)));
  CHECK(*two.half_width == doctest::Approx(12.706).epsilon(1e-4));
  const auto five = of({2, 4, 4, 5, 10});
  CHECK(five.mean == 5);
  CHECK(five.stddev == 3);
  CHECK(*five.half_width == doctest::Approx(2.776 * 3 / std::sqrt(5.0)).epsilon(1e-3));
}

TEST_CASE("one value has no interval, equal values have none of any width") {
  const auto one = of({0.1});
  CHECK(one.count == 1);
  CHECK(one.mean == 0.1);
  CHECK_FALSE(one.half_width);
  const auto same = of({0.1, 0.1, 0.1});
  CHECK(same.mean == 0.1);
  CHECK(same.stddev == 0);
  CHECK(*same.half_width == 0);
}

TEST_CASE("estimates show as many digits as they are worth") {
  CHECK(to_text(of({5312})) == "5,312");
  CHECK(to_text(of({5312, 5312})) == "5,312");
  CHECK(to_text(of({0.25})) == "0.250");
  CHECK(to_text({3, 1.23456, 0.1, 0.0412}) == "1.235 ± 0.041");
  CHECK(to_text({3, 1.2, 0.1, 3.4}) == "1.2 ± 3.4");
  CHECK(to_text({3, 8519889.6, 20, 12.4}) == "8,519,890 ± 12");
  CHECK(to_text({3, -2.5, 0.1, 0.25}) == "-2.50 ± 0.25");
  CHECK(to_text({3, 2.5, 0.1, 0.00025}) == "2.500");
  CHECK(to_text({3, 0.0005012, 1e-6, 0.0000025}) == "(5.012 ± 0.025)e-04");
  CHECK(value_text(-1234567) == "-1,234,567");
  CHECK(value_text(3486.78) == "3,487");
  CHECK(value_text(0) == "0");
}

TEST_CASE("Erlang C gives the mean wait of known queues") {
  // M/M/1: rho / (1 - rho) services.
  CHECK(erlang_c_wait(1, 0.5) == doctest::Approx(1));
  CHECK(erlang_c_wait(1, 0.8) == doctest::Approx(4));
  // M/M/2 with rho = 1/2: C = 1/3, wait = C / (c (1 - rho)) = 1/3.
  CHECK(erlang_c_wait(2, 0.5) == doctest::Approx(1.0 / 3));
  CHECK(erlang_c_wait(7, 0) == 0);
  CHECK(erlang_c_wait(1000, 0.5) < 1e-9);
  CHECK_THROWS_AS(erlang_c_wait(2, 1), std::domain_error);
  CHECK_THROWS_AS(erlang_c_wait(1.5, 0.5), std::domain_error);
  CHECK_THROWS_AS(erlang_c_wait(0, 0.5), std::domain_error);
}
