#include "experiments/pages/paper_figures.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

using json = nlohmann::ordered_json;

/// A run with a value of x and, for each seed, one of y.
run_result paper_run(const std::string& name, double x, const std::vector<double>& ys) {
  run_result r;
  r.plan.name = name;
  for (const auto y : ys)
    r.seeds.push_back({r.seeds.size() + 1, {{"x", x}, {"y", y}}, "", {}});
  return r;
}

const std::vector<run_result> of_paper_runs{paper_run("a[3]", 3, {7, 9}),
                                            paper_run("a[1]", 1, {4, 6}), paper_run("b[1]", 1, {2}),
                                            paper_run("other", 9, {9})};

experiment with_figure() {
  experiment e;
  paper_figure f;
  f.title = "Y over X";
  f.x = "{x}";
  f.x_axis = "x (s)";
  f.y = "{y}";
  f.y_axis = "y";
  f.x_log = true;
  f.note = "not known";
  f.lines = {{"A", {"a[*]"}}, {"B", {"b[*]"}}};
  e.figures = {f};
  return e;
}

run_folder folder_of(const char* name) {
  run_folder run;
  run.label = name;
  run.summary = {{"simulated_seconds", 90.0}};
  return run;
}

} // namespace

TEST_CASE("a figure of the paper has the values of runs in the order of its axis") {
  const auto figures = paper_figures(with_figure(), of_paper_runs);
  REQUIRE(figures.size() == 1);
  const auto& f = figures[0];
  CHECK(f.title == "Y over X");
  CHECK(f.x_axis == "x (s)");
  CHECK(f.x_log);
  CHECK(f.note == "not known");
  REQUIRE(f.lines.size() == 2);
  CHECK(f.lines[0].label == "A");
  CHECK(f.lines[0].x == std::vector<double>{1, 3});
  CHECK(f.lines[0].y == std::vector<double>{5, 8});
  CHECK(f.lines[0].half_width[0] > 0);
  CHECK(std::isnan(f.lines[1].half_width[0])); // of one seed
  CHECK_FALSE(f.lines[0].of_paper);
}

TEST_CASE("what the paper states is beside it: its formula, and ratios to what was measured") {
  auto e = with_figure();
  e.figures[0].model = "10 * {x}";
  e.figures[0].points = {{"twice b", "{a[1]: x} + 1", "2 * {b[1]: y}"},
                         {"a run that is missing", "2", "{c: y}"},
                         {"another", "{c: x}", "2"}};
  const auto figures = paper_figures(e, of_paper_runs);
  REQUIRE(figures[0].lines.size() == 5);
  CHECK(figures[0].lines[2].label == "A, the paper's formula");
  CHECK(figures[0].lines[2].y == std::vector<double>{10, 30});
  CHECK(figures[0].lines[2].of_paper);
  CHECK(figures[0].lines[4].label == "the paper: twice b");
  CHECK(figures[0].lines[4].x == std::vector<double>{2});
  CHECK(figures[0].lines[4].y == std::vector<double>{4});
  CHECK(paper_csv(e, of_paper_runs).find("Y over X,,,y,2,2,4,twice b\r\n") != std::string::npos);
}

TEST_CASE("a figure without measured values is left out") {
  auto e = with_figure();
  e.figures[0].lines = {{"A", {"c[*]"}}};
  e.figures[0].points = {{"one", "2", "1"}};
  CHECK(paper_figures(e, of_paper_runs).empty());
}

TEST_CASE("lines that the paper states are of a run, and last as long as it does") {
  const std::vector<paper_line> lines{{"held", "y", "A", "delay", 30s, 60s, 1.5},
                                      {"below", "y", "", "delay", 0s, 0s, 0.75},
                                      {"of no run", "z", "", "delay", 0s, 0s, 1}};
  const std::vector<run_folder> runs{folder_of("x"), folder_of("y")};
  const auto shown = paper_lines(lines, runs);
  REQUIRE(shown.size() == 2);
  CHECK(shown[0].run == 1);
  CHECK(shown[0].group == "A");
  CHECK(shown[0].from_s == 30);
  CHECK(shown[0].to_s == 60);
  CHECK(shown[1].to_s == 90);
  const auto table = paper_table(shown, runs);
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[0] ==
        std::vector<std::string>{"y", "A", "delay", "30.0 s", "60.0 s", "1.5", "held"});
  experiment e;
  e.paper_lines = lines;
  CHECK(paper_csv(e, {}).starts_with("figure,run,group,column,from,to,value,says\r\n"
                                     ",y,A,delay,30,60,1.5,held\r\n,y,,delay,0,,0.75,below\r\n"));
}
