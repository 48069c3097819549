#include "experiments/pages/expectation_bands.hpp"
#include "experiments/pages/metric_unit.hpp"
#include "experiments/pages/sweep_page.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace troupe;

namespace {

std::optional<estimate> cell_of(double mean) {
  return estimate{.count = 3, .mean = mean, .stddev = 1, .half_width = 0.5};
}

sweep_table two_setting_table() {
  return {.keys = {"schedulers", "sync.gap"},
          .metrics = {{"delay", "{scheduling_delay_s.mean}"}},
          .seeds = 3,
          .rows = {{{"5", "2s"}, 3, {cell_of(4)}},
                   {{"5", "500ms"}, 3, {cell_of(3)}},
                   {{"10", "2s"}, 3, {cell_of(2)}},
                   {{"10", "500ms"}, 0, {std::nullopt}}},
          .problems = {"one failed"}};
}

run_folder run_named(const char* name) {
  run_folder run;
  run.label = name;
  run.summary = {{"simulated_seconds", 300.0},
                 {"groups", {{{"name", "A"}}, {{"name", "B"}}}},
                 {"phases",
                  {{{"from_s", 0.0}, {"to_s", 100.0}, {"group", "A"}},
                   {{"from_s", 0.0}, {"to_s", 100.0}, {"group", "B"}},
                   {{"from_s", 100.0}, {"to_s", 300.0}, {"group", "A"}},
                   {{"from_s", 100.0}, {"to_s", 300.0}, {"group", "B"}}}}};
  return run;
}

expectation at_most_two(const char* value) {
  expectation e;
  e.says = "so";
  e.values = {value};
  e.max = 2;
  return e;
}

} // namespace

TEST_CASE("a sweep has a figure for each metric, with lines in ascending order") {
  const auto page = sweep_page(two_setting_table(), "mine");
  REQUIRE(page.figures.size() == 1);
  const auto& f = page.figures.front();
  CHECK(f.x_axis == "sync.gap");
  CHECK(f.x_unit == "s");
  CHECK(f.y_unit == "s");
  REQUIRE(f.lines.size() == 2);
  CHECK(f.lines[0].label == "schedulers = 5");
  CHECK(f.lines[0].x == std::vector<double>{0.5, 2});
  CHECK(f.lines[0].y == std::vector<double>{3, 4});
  CHECK(f.lines[0].half_width == std::vector<double>{0.5, 0.5});
  CHECK(std::isnan(f.lines[1].y[0]));
  CHECK(page.notes == std::vector<std::string>{"one failed"});
}

TEST_CASE("a sweep of two settings has a heat map, one of texts has their names on the axis") {
  auto table = two_setting_table();
  const auto page = sweep_page(table, "mine");
  REQUIRE(page.heat_maps.size() == 1);
  const auto& map = page.heat_maps.front();
  CHECK(map.y_names == std::vector<std::string>{"5", "10"});
  CHECK(map.x_names == std::vector<std::string>{"500ms", "2s"});
  CHECK(map.unit == "s");
  CHECK(map.values[0] == std::vector<double>{3, 4});
  CHECK(map.values[1][1] == 2);
  CHECK(std::isnan(map.values[1][0]));

  for (auto& row : table.rows)
    row.values = {row.values[1] == "2s" ? "adaptive" : "best-fit"};
  table.keys = {"scheduler.policy"};
  const auto texts = sweep_page(table, "mine");
  CHECK(texts.heat_maps.empty());
  CHECK(texts.figures.front().x_names == std::vector<std::string>{"adaptive", "best-fit"});
}

TEST_CASE("metrics that are times have their unit") {
  CHECK(metric_unit("{scheduling_delay_s.p99}") == "s");
  CHECK(metric_unit("{phases.1.job_response_s.mean}") == "s");
  CHECK(metric_unit("simulated_seconds") == "s");
  CHECK(metric_unit("{conflict_fraction}") == "");
  CHECK(metric_unit("{wait_s.mean} / {scheduling_delay_s.mean}") == "");
}

TEST_CASE("expectations of values over time are bands") {
  const std::vector runs{run_named("x"), run_named("y")};
  const auto bands_of = [&](const expectation& e) { return expectation_bands({&e, 1}, runs); };

  const auto phase = bands_of(at_most_two("{y: phases.2.B.scheduling_delay_s.mean}"));
  REQUIRE(phase.size() == 1);
  CHECK(phase[0].run == 1);
  CHECK(phase[0].group == "B");
  CHECK(phase[0].column == "scheduling_delay_mean_s");
  CHECK(phase[0].from_s == 100);
  CHECK(phase[0].to_s == 300);
  CHECK(phase[0].max == 2.0);
  CHECK_FALSE(phase[0].min);

  const auto span = bands_of(at_most_two("{x: series.60-89.A.quality_mean.max}"));
  REQUIRE(span.size() == 1);
  CHECK(span[0].column == "quality_mean");
  CHECK(span[0].from_s == 60);
  CHECK(span[0].to_s == 90);

  auto within = at_most_two("{x: quality.mean}");
  within.max.reset();
  within.within = 0.1;
  SUBCASE("of a number") {
    within.is = "2";
  }
  SUBCASE("of the paper's number") {
    within.paper = "2";
  }
  const auto around = bands_of(within);
  REQUIRE(around.size() == 1);
  CHECK(*around[0].min == doctest::Approx(1.8));
  CHECK(*around[0].max == doctest::Approx(2.2));
  CHECK(around[0].to_s == 300);

  CHECK(bands_of(at_most_two("{x: quality.mean} / {y: quality.mean}")).empty());
  CHECK(bands_of(at_most_two("{z: quality.mean}")).empty());
  CHECK(bands_of(at_most_two("{x: phases.3.quality.mean}")).empty());
  CHECK(bands_of(at_most_two("{x: tasks.placed}")).empty());
}
