#include "model/metrics/partition_series.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

/// A second of some partitions, of which each has ten units and uses as many as its number.
live_sample second_of(std::uint32_t partitions, int from, std::uint64_t refused = 1) {
  live_sample sample;
  sample.from = from * 1s;
  sample.to = (from + 1) * 1s;
  auto& owner = sample.owners.emplace_back();
  for (partition_id p = 0; p < partitions; ++p) {
    partition_details part;
    part.partition = p;
    part.capacity.amount[0] = 10;
    part.used.amount[0] = p;
    part.machines = part.up = 3;
    part.granted = 4;
    part.refused[1] = refused;
    owner.partitions.push_back(part);
  }
  for (scheduler_id s = 0; s < 2; ++s) {
    auto& scheduler = sample.schedulers.emplace_back();
    scheduler.number = s;
    scheduler.details.ages_ms.assign(partitions, static_cast<std::uint16_t>(1000 * (s + 1)));
  }
  return sample;
}

} // namespace

TEST_CASE("partitions are kept by interval and number") {
  partition_series series{3};
  series.add(second_of(3, 0));
  series.add(second_of(3, 1));
  const auto rows = series.rows();
  REQUIRE(rows.size() == 6);
  CHECK(rows[4].from == 1s);
  CHECK(rows[4].first == 1);
  CHECK(rows[4].count == 1);
  CHECK(rows[4].cell.mean_load() == 0.1);
  CHECK(rows[4].cell.mean_age() == 1.5);
  CHECK(rows[4].cell.age_max == 2);
  CHECK(rows[4].cell.placed == 4);
  CHECK(rows[4].cell.conflicts == 1);
}

TEST_CASE("a silent owner leaves its partitions without a load, and machines that are down too") {
  partition_series series{2};
  auto sample = second_of(2, 0);
  sample.owners[0].partitions.pop_back();
  sample.owners[0].partitions[0].up = 0;
  series.add(sample);
  const auto rows = series.rows();
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].cell.loads == 0);
  CHECK(rows[0].cell.placed == 4);
  CHECK(rows[1].cell.loads == 0);
  CHECK(rows[1].cell.ages == 2); // schedulers still have it in their views
  sample.schedulers.clear();
  partition_series without_views{2};
  without_views.add(sample);
  CHECK(without_views.rows().size() == 1); // of the other one nothing is known
}

TEST_CASE("what is counted at the end of a run belongs to its last interval") {
  partition_series series{1};
  series.add(second_of(1, 0));
  auto last = second_of(1, 1);
  last.from = last.to = 1s;
  series.add(last);
  const auto rows = series.rows();
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].to == 1s);
  CHECK(rows[0].cell.placed == 8);
  CHECK(rows[0].cell.conflicts == 2);
  CHECK(rows[0].cell.loads == 1);
}

TEST_CASE("a run that has not begun has no rows") {
  partition_series series{1};
  auto before = second_of(1, 0);
  before.to = -1s;
  series.add(before);
  CHECK(series.rows().empty());
}

TEST_CASE("many partitions and intervals share cells, which add up to the same") {
  partition_series series{10, 4, 8};
  for (int second = 0; second < 53; ++second)
    series.add(second_of(10, second));
  const auto rows = series.rows();
  CHECK(rows.size() == 4 * 7); // of 8 seconds each, and a shorter one
  std::uint64_t placed = 0;
  std::uint64_t conflicts = 0;
  instant until{0};
  for (const auto& row : rows) {
    placed += row.cell.placed;
    conflicts += row.cell.conflicts;
    CHECK(row.cell.mean_age() == 1.5);
    if (row.first == 0) {
      CHECK(row.from == until);
      until = row.to;
    }
  }
  CHECK(until == 53s);
  CHECK(placed == 4 * 10 * 53);
  CHECK(conflicts == 10 * 53);
  CHECK(rows[0].to == 8s);
  CHECK(rows[0].count == 3);
  CHECK(rows[0].cell.mean_load() == doctest::Approx(0.1)); // of 0, 1 and 2 of ten
  CHECK(rows[3].first == 9);
  CHECK(rows[3].count == 1);
}

TEST_CASE("a long run keeps a bounded number of intervals") {
  partition_series series{250};
  for (int second = 0; second < 1000; ++second)
    series.add(second_of(250, second, 0));
  const auto rows = series.rows();
  CHECK(rows.size() <= partition_series::most_columns * partition_series::most_intervals);
  CHECK(rows.size() >= partition_series::most_intervals / 2 * 84);
  CHECK(rows.back().to == 1000s);
  CHECK(rows.back().first + rows.back().count == 250);
}
