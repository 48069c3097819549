#include "model/metrics/scheduler_series.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

scheduler_row row_at(int second, scheduler_id scheduler, std::uint64_t queued) {
  scheduler_row row{second * 1s, (second + 1) * 1s, scheduler};
  row.queued = queued;
  row.placed = 10;
  row.conflicts = 1;
  row.busy = 500ms;
  row.age_weighted = 2;
  row.age_seconds = 1;
  return row;
}

} // namespace

TEST_CASE("rows of schedulers are kept by time and scheduler") {
  scheduler_series series;
  series.add({row_at(0, 2, 5), row_at(0, 1, 7)});
  series.add({});
  series.add({row_at(1, 1, 3)});
  const auto rows = series.rows();
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].scheduler == 1);
  CHECK(rows[1].scheduler == 2);
  CHECK(rows[2].from == 1s);
  CHECK(rows[0].busyness() == 0.5);
  CHECK(series.intervals_per_row() == 1);
}

TEST_CASE("too many rows of schedulers become half as many, which add up to the same") {
  scheduler_series series{12};
  for (int second = 0; second < 27; ++second)
    series.add({row_at(second, 0, static_cast<std::uint64_t>(second)), row_at(second, 1, 1)});
  const auto rows = series.rows();
  CHECK(rows.size() <= 12);
  CHECK(series.intervals_per_row() == 8);
  std::uint64_t placed = 0;
  duration busy{0};
  for (const auto& row : rows) {
    placed += row.placed;
    busy += row.busy;
    CHECK(row.busyness() == 0.5);
    CHECK(row.age_weighted / row.age_seconds == 2);
  }
  CHECK(placed == 27 * 2 * 10);
  CHECK(busy == 27s);
  REQUIRE(rows.size() == 8);
  CHECK(rows[0].queued == 7); // the greatest of the first eight
  CHECK(rows[0].to == 8s);
  CHECK(rows[2].from == 8s);
  CHECK(rows[6].queued == 26);
  CHECK(rows[6].to == 27s);
}

TEST_CASE("a late answer does not make a scheduler more than busy") {
  auto row = row_at(3, 0, 0);
  row.busy = 3s;
  CHECK(row.busyness() == 1);
}
