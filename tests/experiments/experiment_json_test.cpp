#include "experiments/expectations/experiment_json.hpp"
#include "experiments/expectations/experiment_text.hpp"
#include "experiments/expectations/results_document.hpp"
#include "experiments/expectations/values_csv.hpp"
#include "support/contains.hpp"

#include <doctest/doctest.h>

#include <sstream>

using namespace troupe;
using namespace troupe::test;

namespace {

using json = nlohmann::ordered_json;

experiment sample_experiment() {
  experiment e;
  e.file = "some/experiment.toml";
  e.name = "e";
  e.title = "The title";
  e.source = "A paper";
  e.about = "What it is about.";
  e.set = {"a=1"};
  e.runs = {{"r", "s.toml", {"a=1", "b=2"}, 2, {}}, {"found it", "s.toml", {"a=1"}, 2, {}}};
  e.runs[1].find = search_plan{"cluster.machines", 1, 100, 1, "{x} > 5"};
  e.columns = {{"x", "{x}"}, {"y", "{y} / 2"}};
  expectation good;
  good.says = "x is small";
  good.paper = "1.5";
  good.values = {"{r: x}"};
  good.within = 0.1;
  auto bad = good;
  bad.says = "x | is great";
  bad.paper = "";
  bad.within = {};
  bad.min = 100;
  e.expectations = {good, bad};
  return e;
}

std::vector<run_result> results_of(const experiment& e) {
  std::vector<run_result> results;
  for (const auto& plan : e.runs) {
    results.push_back({.plan = plan});
    for (std::uint64_t seed = 1; seed <= 2; ++seed)
      results.back().seeds.push_back({seed, {{"x", seed}, {"y", nullptr}}, "", {}});
  }
  results[1].found = 42;
  results[1].steps = {{100, true}, {42, true}};
  return results;
}

json result_of(const experiment& e) {
  return experiment_json(e, results_of(e), {}, "troupe 1.2");
}

} // namespace

TEST_CASE("the result of an experiment has its runs' values and a verdict on each expectation") {
  const auto result = result_of(sample_experiment());
  CHECK(result["passed"] == false);
  CHECK(result["runs"][0]["set"] == json{"b=2"});
  CHECK(result["runs"][0]["values"][0]["mean"] == 1.5);
  CHECK(result["runs"][0]["values"][0]["seeds"] == 2);
  CHECK(contains(result["runs"][0]["values"][1]["missing"].get<std::string>(), "null"));
  CHECK(result["runs"][1]["found"] == 42);
  const auto& verdicts = result["expectations"];
  REQUIRE(verdicts.size() == 3);
  CHECK(verdicts[0]["verdict"] == "PASS");
  CHECK(verdicts[0]["expected"] == "6 runs");
  CHECK(verdicts[1]["verdict"] == "PASS");
  CHECK(verdicts[1]["expected"] == "within 10 % of 1.50");
  CHECK(verdicts[2]["verdict"] == "FAIL");
  CHECK(verdicts[2]["why"] == "less than 100");
}

TEST_CASE("a problem with any run is a failed expectation of its own") {
  const auto e = sample_experiment();
  auto results = results_of(e);
  results[0].problems = {"r, seed 1: exit code 1", "r, seed 2: exit code 1"};
  const auto verdict = experiment_json(e, results, {}, "v")["expectations"][0];
  CHECK(verdict["verdict"] == "FAIL");
  CHECK(verdict["why"] == "r, seed 1: exit code 1 (and 1 more)");
}

TEST_CASE("an estimate survives being written") {
  const estimate e{3, 1.5, 0.25, 0.75};
  const auto again = estimate_in(to_json(e));
  CHECK(again.count == 3);
  CHECK(again.mean == 1.5);
  CHECK(again.stddev == 0.25);
  CHECK(again.half_width == 0.75);
  CHECK_FALSE(estimate_in(to_json({1, 2, 0, {}})).half_width);
}

TEST_CASE("a terminal shows the runs and what held") {
  std::ostringstream out;
  write_experiment(out, result_of(sample_experiment()));
  CHECK(out.str() == "The title\n"
                     "A paper\n"
                     "\n"
                     "run       found          x  y\n"
                     "r             -  1.5 ± 6.4  -\n"
                     "found it     42  1.5 ± 6.4  -\n"
                     "\n"
                     "PASS  every run ends well and its self-checks hold\n"
                     "      expected 6 runs\n"
                     "PASS  x is small\n"
                     "      measured 1.5 ± 6.4; expected within 10 % of 1.50\n"
                     "      paper: 1.5\n"
                     "FAIL  x | is great\n"
                     "      measured 1.5 ± 6.4; expected at least 100\n"
                     "      because: less than 100\n");
}

TEST_CASE("what a terminal shows is no wider than it") {
  std::ostringstream out;
  write_experiment(out, result_of(sample_experiment()), 24);
  CHECK(out.str() == "The title\n"
                     "A paper\n"
                     "\n"
                     "run       found\n"
                     "r             -\n"
                     "found it     42\n"
                     "\n"
                     "run               x  y\n"
                     "r         1.5 ± 6.4  -\n"
                     "found it  1.5 ± 6.4  -\n"
                     "\n"
                     "PASS  every run ends\n"
                     "      well and its\n"
                     "      self-checks hold\n"
                     "      expected 6 runs\n"
                     "PASS  x is small\n"
                     "      measured 1.5 ±\n"
                     "      6.4; expected\n"
                     "      within 10 % of\n"
                     "      1.50\n"
                     "      paper: 1.5\n"
                     "FAIL  x | is great\n"
                     "      measured 1.5 ±\n"
                     "      6.4; expected at\n"
                     "      least 100\n"
                     "      because: less than\n"
                     "      100\n");
}

TEST_CASE("a document has tables of runs and expectations, and the notes as they are") {
  const auto text = experiment_markdown(result_of(sample_experiment()), "It is **so**.\n");
  CHECK(text.starts_with("## The title\n\nSource: A paper\n\nWhat it is about.\n\n"));
  CHECK(contains(text, "Run by `troupe experiment some/experiment.toml`, with `a=1` throughout."));
  CHECK(contains(text, "| r | `s.toml` with `b=2` | 1 to 2 |"));
  CHECK(contains(text, "the least `cluster.machines` from 1 to 100 with `{x} > 5`"));
  CHECK(contains(text, "| found it | 42 | 1.5 ± 6.4 | - |"));
  CHECK(contains(text, "| x is small | 1.5 | within 10 % of 1.50 | 1.5 ± 6.4 | PASS |"));
  CHECK(contains(text, "| x \\| is great | - | at least 100 | 1.5 ± 6.4 | FAIL: less than 100 |"));
  CHECK(text.ends_with("### Notes\n\nIt is **so**.\n\n"));
  const auto introduction = results_introduction({result_of(sample_experiment())});
  CHECK(contains(introduction, "troupe 1.2"));
  CHECK(contains(introduction, "| The title | 2 | 1 |"));
}

TEST_CASE("a document shows a picture where there is one") {
  const auto result = result_of(sample_experiment());
  CHECK_FALSE(contains(experiment_markdown(result, ""), "<picture>"));
  const auto text = experiment_markdown(result, "", "x over time");
  CHECK(contains(text, "srcset=\"pictures/e-dark.svg\""));
  CHECK(contains(text, "<img alt=\"x over time\" src=\"pictures/e-light.svg\">"));
}

TEST_CASE("values are written for programs that draw them") {
  auto e = sample_experiment();
  e.runs[0].name = "fine[10ms,a]";
  e.runs[1].name = "R=2[40]";
  CHECK(values_csv(result_of(e)) == "run,series,x,found,x,x ±,y,y ±\r\n"
                                    "\"fine[10ms,a]\",fine,0.01,,1.5,6.3531,,\r\n"
                                    "R=2[40],R=2,40,42,1.5,6.3531,,\r\n");
}
