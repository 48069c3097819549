#include "report/page/runs/thin.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace troupe;

TEST_CASE("buckets cover every row once, and there are no more of them than asked for") {
  for (std::size_t rows : {0u, 1u, 5u, 10u, 11u, 999u, 1000u, 4001u})
    for (std::size_t most : {1u, 3u, 10u, 1000u}) {
      CAPTURE(rows);
      CAPTURE(most);
      const auto buckets = buckets_of(rows, most);
      CHECK(buckets.size() <= most);
      std::size_t next = 0;
      for (const auto& b : buckets) {
        CHECK(b.first == next);
        CHECK(b.end > b.first);
        next = b.end;
      }
      CHECK(next == rows);
    }
}

TEST_CASE("rows that are few enough stay as they are") {
  const std::vector<double> values{3, 1, 2};
  const auto of = thinned(values, buckets_of(3, 3));
  CHECK(of.mean == values);
  CHECK(of.min == values);
  CHECK(of.max == values);
}

TEST_CASE("thinning keeps the extremes and skips what was not measured") {
  constexpr auto none = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> values(1001, 5);
  values[400] = 1000;
  values[777] = -3;
  values[778] = none;
  values[1000] = none;
  const auto of = thinned(values, buckets_of(values.size(), 10));
  CHECK(*std::ranges::max_element(of.max) == 1000);
  CHECK(*std::ranges::min_element(of.min) == -3);
  CHECK(of.mean.front() == 5);
  const std::vector<double> nothing{none, none};
  CHECK(std::isnan(thinned(nothing, buckets_of(2, 1)).mean.front()));
}
