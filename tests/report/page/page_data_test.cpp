#include "report/page/plots/page_data.hpp"
#include "report/page/run_directory.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

using namespace troupe;

namespace {

nlohmann::ordered_json data_of(const std::vector<run_folder>& runs) {
  const auto lines = lines_of(runs);
  const auto shown = shown_plots(lines);
  std::vector<std::vector<run_mark>> marks;
  for (const auto& run : runs)
    marks.push_back(marks_of(run));
  return nlohmann::ordered_json::parse(script_json(page_data(lines, shown, marks)));
}

run_folder folder_of(const run_results& results) {
  const run_directory here(results);
  return read_run_folder(here.path());
}

/// A run of one group with this many rows, whose delays are 1 s but for one of 1,000 s.
run_results long_run(std::size_t rows) {
  auto results = sample_results();
  results.groups.resize(1);
  const auto row = results.series[0];
  results.series.assign(rows, row);
  for (std::size_t i = 0; i < rows; ++i) {
    auto& r = results.series[i];
    r.from = std::chrono::seconds{i};
    r.to = std::chrono::seconds{i + 1};
    r.sample.delay = {};
    r.sample.delay.add(i == rows / 3 ? 1000 : 1);
  }
  return results;
}

} // namespace

TEST_CASE("the data of a page are those of timeseries.csv") {
  const auto run = folder_of(sample_results());
  const auto data = data_of({run});
  REQUIRE(data["lines"].size() == 2);
  const auto& a = data["lines"][0];
  CHECK(a["label"] == "a");
  CHECK(a["x"] == nlohmann::ordered_json{1.0, 2.0});
  std::size_t compared = 0;
  for (const auto& [name, values] : a["columns"].items()) {
    const auto& column = run.series.number(name);
    if (column.empty())
      continue; // derived from others
    for (std::size_t i = 0, row = 0; row < column.size(); ++row)
      if (run.series.text("group")[row] == "a") {
        CAPTURE(name);
        const auto& value = values[i++];
        CHECK((value.is_null() ? std::isnan(column[row]) : value == column[row]));
        ++compared;
      }
  }
  CHECK(compared > 20);
  CHECK(a["columns"]["placed_per_s"] == nlohmann::ordered_json{8.0, 6.0});
  CHECK(a["columns"]["conflict_fraction_taken"][0] == 0.25);
}

TEST_CASE("only what has values is shown, and a plot without any says why") {
  const auto lines = lines_of(std::array{folder_of(sample_results())});
  for (const auto& shown : shown_plots(lines)) {
    CHECK(shown.what->id != "offers");
    if (shown.series.empty()) {
      CHECK(plot_html(shown, lines).find("Nothing to show: ") != std::string::npos);
      continue;
    }
    for (const auto* series : shown.series)
      CHECK(std::ranges::any_of(lines, [&](const run_line& line) {
        const auto& values = line.columns.at(std::string(series->column));
        return std::ranges::any_of(values, [](double x) { return x > 0; });
      }));
  }
}

TEST_CASE("long runs are thinned, keep their extremes and say so") {
  const auto run = folder_of(long_run(10'000));
  const auto data = data_of({run});
  const auto& line = data["lines"][0];
  CHECK(line["rows"] == 10'000);
  CHECK(line["x"].size() <= most_points);
  CHECK(line["x"].back() == 10'000.0);
  CHECK_FALSE(line["max"].contains("scheduling_delay_max_s")); // no plot shows this column
  const auto means = line["max"]["scheduling_delay_mean_s"].get<std::vector<double>>();
  CHECK(*std::ranges::max_element(means) == doctest::Approx(1000));
  const auto lines = lines_of(std::array{run});
  CHECK(thinning_note(lines, shown_plots(lines)).starts_with("10,000 rows are shown as "));
  const auto few = lines_of(std::array{folder_of(long_run(100))});
  CHECK(thinning_note(few, shown_plots(few)).empty());
}

TEST_CASE("marks are the phases, the failures, the takeovers and the changes of policies") {
  auto results = sample_results();
  results.policy_changes = {{std::chrono::milliseconds{500}, 0, "x", "y"}};
  results.events = {
    {std::chrono::milliseconds{200}, run_event_kind::kill, "owner.2", ""},
    {std::chrono::milliseconds{300}, run_event_kind::kill, "machine.7", ""},
    {std::chrono::milliseconds{700}, run_event_kind::takeover, "owner.2", "standby 0"},
    {std::chrono::milliseconds{900}, run_event_kind::end, "owner.2", "kill"}};
  const auto marks = marks_of(folder_of(results));
  std::vector<std::string> texts;
  for (const auto& m : marks)
    texts.push_back(m.kind + ": " + m.text);
  CHECK(texts == std::vector<std::string>{"failure: kill owner.2", "failure: kill machine.7",
                                          "policy: group a: policy y after x",
                                          "takeover: owner.2: taken over by standby 0",
                                          "end: end of kill owner.2", "phase: phase 2 begins"});
  CHECK(marks[1].of_machine);
  CHECK_FALSE(marks[0].of_machine);
}

TEST_CASE("marks of a cluster name its nodes") {
  auto results = sample_results();
  results.phases.clear();
  results.events = {
    {std::chrono::seconds{1}, run_event_kind::node_lost, "machine.b", "with 5 machines"},
    {std::chrono::seconds{2}, run_event_kind::takeover, "owner.2", "a after machine.b"},
    {std::chrono::seconds{3}, run_event_kind::node_back, "machine.b", "as a new process"},
    {std::chrono::seconds{4}, run_event_kind::node_joined, "c", "a new node"}};
  const auto marks = marks_of(folder_of(results));
  REQUIRE(marks.size() == 4);
  CHECK(marks[0].kind == "failure");
  CHECK(marks[0].text == "node lost: machine.b, with 5 machines");
  CHECK_FALSE(marks[0].of_machine);
  CHECK(marks[1].text == "owner.2: taken over by a after machine.b");
  CHECK(marks[2].kind == "end");
  CHECK(marks[3].kind == "node");
}
