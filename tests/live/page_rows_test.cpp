#include "live/live_builders.hpp"
#include "live/page_rows.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

using namespace troupe;
using nlohmann::json;

namespace {

live_state run_for(int seconds) {
  const auto about = about_run(2, 1, 4);
  auto state = live_state_of(about);
  for (int n = 1; n <= seconds; ++n)
    add_sample(state, sample_of_second(about, n));
  return state;
}

std::size_t at(std::string_view name) {
  const auto columns = live_columns();
  return static_cast<std::size_t>(std::ranges::find(columns, name) - columns.begin());
}

} // namespace

TEST_CASE("a row has a value for each column") {
  const auto rows = json::parse(whole_rows(run_for(3)));
  REQUIRE(rows.size() == 3);
  for (const auto& row : rows)
    CHECK(row.size() == live_columns().size());
  CHECK(rows[2][at("until_s")] == 3);
  CHECK(rows[2][at("samples")] == 1);
  CHECK(rows[2][at("queued")] == 7);
  CHECK(rows[2][at("placed_per_s")] == 10);
  CHECK(rows[2][at("conflict_fraction")] == 0.1);
  CHECK(rows[2][at("conflict_fraction_taken")] == 0.1);
  CHECK(rows[2][at("scheduling_delay_mean_s")] == 0.5);
  CHECK(rows[2][at("quality_mean")] == nullptr);
}

TEST_CASE("rows after a sample are thinned to a limit, and none is left out") {
  const auto state = run_for(25);
  CHECK(json::parse(rows_after(state, 25, 10)).empty());
  CHECK(json::parse(rows_after(state, 22, 10)).size() == 3);
  const auto rows = json::parse(rows_after(state, 0, 10));
  CHECK(rows.size() <= 10);
  CHECK(rows.back()[at("until_s")] == 25);
  int samples = 0;
  for (const auto& row : rows) {
    samples += row[at("samples")].get<int>();
    CHECK(row[at("scheduling_delay_mean_s")] == 0.5);
    CHECK(row[at("placed_per_s")] == 10);
  }
  CHECK(samples == 25);
}

TEST_CASE("the whole of a long run stays short") {
  const auto rows = json::parse(whole_rows(run_for(3000)));
  CHECK(rows.size() <= 600);
  CHECK(rows.back()[at("until_s")] == 3000);
  int samples = 0;
  for (const auto& row : rows)
    samples += row[at("samples")].get<int>();
  CHECK(samples == 3000);
}
