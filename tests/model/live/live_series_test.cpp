#include "model/live/live_series.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

/// Sample `n` of a run with a sample a second: n tasks submitted, one delay of n seconds.
live_row live_row_of(std::uint64_t n) {
  live_row row;
  row.number = n;
  row.from = 1s * static_cast<std::int64_t>(n - 1);
  row.to = 1s * static_cast<std::int64_t>(n);
  row.tasks.submitted = n;
  row.tasks.queued = n;
  row.conflicts[2] = 1;
  row.delays.add(static_cast<double>(n));
  row.delay = delay_figures::of(row.delays);
  row.utilization = static_cast<double>(n);
  row.busy = {1.0 / static_cast<double>(n), 0.5, static_cast<double>(n)};
  row.schedulers = {{static_cast<double>(n), 0.5, 1, 2, 3, 1, 1}};
  row.partitions = {{static_cast<std::uint8_t>(10 * n), 40000}};
  return row;
}

} // namespace

TEST_CASE("while there is room, the whole run is kept sample by sample") {
  live_series series{4};
  for (std::uint64_t n = 1; n <= 4; ++n)
    series.add(live_row_of(n));
  CHECK(series.samples_per_row() == 1);
  REQUIRE(series.whole().size() == 4);
  REQUIRE(series.recent().size() == 4);
  CHECK(series.whole()[2].number == 3);
  CHECK(series.recent()[2].delay.p50 == 3);
}

TEST_CASE("rows become longer as the run goes on, and lose no count") {
  live_series series{4};
  for (std::uint64_t n = 1; n <= 11; ++n)
    series.add(live_row_of(n));
  CHECK(series.samples_per_row() == 4);
  REQUIRE(series.whole().size() == 3); // 1-4, 5-8, 9-11
  std::uint64_t submitted = 0;
  instant at{0};
  for (const auto& row : series.whole()) {
    CHECK(row.from == at);
    at = row.to;
    submitted += row.tasks.submitted;
  }
  CHECK(submitted == 66);
  const auto& first = series.whole()[0];
  CHECK(first.number == 4);
  CHECK(first.to == 4s);
  CHECK(first.tasks.queued == 4); // at its end
  CHECK(first.conflicts[2] == 4);
  CHECK(first.utilization == doctest::Approx(2.5)); // a mean over time
  CHECK(first.delay.count == 4);
  CHECK(first.delay.mean == doctest::Approx(2.5));
  CHECK(first.delay.max == 4);
  CHECK(first.busy.min == 0.25);
  CHECK(first.busy.max == 4);
  CHECK(first.schedulers[0].placed == 4);
  CHECK(first.schedulers[0].queued == doctest::Approx(2.5));
  CHECK(first.partitions[0].use >= 24); // of 10, 20, 30 and 40, rounded down
  CHECK(first.partitions[0].use <= 25);
  CHECK(first.partitions[0].refused == 65535); // at most
  CHECK(series.whole()[2].to == 11s);
}

TEST_CASE("the last samples are kept one by one") {
  live_series series{4};
  for (std::uint64_t n = 1; n <= 11; ++n)
    series.add(live_row_of(n));
  REQUIRE(series.recent().size() == 4);
  CHECK(series.recent().front().number == 8);
  CHECK(series.recent().back().number == 11);
  CHECK(series.recent().back().delays.count() == 1);
  CHECK(series.recent().back().delay.count == 1);
}

TEST_CASE("a partition whose use is not known for a time has that of the other time") {
  auto a = live_row_of(1);
  auto b = live_row_of(2);
  a.partitions[0].use = unknown_use;
  auto both = a;
  both.append(b);
  CHECK(both.partitions[0].use == 20);
  b.append(a);
  CHECK(b.partitions[0].use == 20);
}
