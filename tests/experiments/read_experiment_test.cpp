#include "experiments/expectations/read_experiment.hpp"
#include "experiments/temp_folder.hpp"
#include "settings/toml/read.hpp"
#include "support/contains.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::test;

namespace {

const std::string settings = "schedulers = 2\n[[workload.phases]]\nrate = 5\n";
const std::string start = "name = \"e\"\nbase = \"s.toml\"\n";
const std::string one_run = start + "[[run]]\nname = \"r\"\n";

experiment read(const std::string& text) {
  const temp_folder here;
  here.write("s.toml", settings);
  return read_experiment(here.write("e.toml", text));
}

std::string reading_refusal(const std::string& text) {
  const temp_folder here;
  here.write("s.toml", settings);
  const auto file = here.write("e.toml", text);
  try {
    read_experiment(file);
  } catch (const settings_error& error) {
    std::string message = error.what();
    CHECK(message.starts_with(file.string()));
    return message.substr(file.string().size());
  }
  return "accepted";
}

} // namespace

TEST_CASE("an experiment has runs with settings, seeds and what they have in common") {
  const auto e = read("name = \"e\"\ntitle = \"T\"\nabout = \"A\"\nsource = \"S\"\nseeds = 4\n"
                      "base = \"s.toml\"\nset = [\"sync.gap=2s\"]\n"
                      "[[run]]\nname = \"one\"\nset = [\"scheduler.batch=3\"]\n"
                      "[[run]]\nname = \"two\"\nconfig = \"s.toml\"\nseeds = 2\n");
  CHECK(e.title == "T");
  CHECK(e.source == "S");
  CHECK(e.about == "A");
  REQUIRE(e.runs.size() == 2);
  CHECK(e.runs[0].name == "one");
  CHECK(e.runs[0].seeds == 4);
  CHECK(e.runs[0].set == std::vector<std::string>{"sync.gap=2s", "scheduler.batch=3"});
  CHECK(e.runs[0].config == e.file.parent_path() / "s.toml");
  CHECK(e.runs[1].seeds == 2);
}

TEST_CASE("what varies gives a run for each combination, in the order of writing") {
  const auto e = read(one_run + "vary = { \"sync.gap\" = [\"500ms\", \"1s\"], schedulers = [1, 2], "
                                "cluster.score.sigma = [0.5] }\n");
  REQUIRE(e.runs.size() == 4);
  CHECK(e.runs[0].name == "r[500ms,1,0.5]");
  CHECK(e.runs[1].name == "r[500ms,2,0.5]");
  CHECK(e.runs[3].name == "r[1s,2,0.5]");
  CHECK(e.runs[3].set ==
        std::vector<std::string>{"sync.gap=\"1s\"", "schedulers=2", "cluster.score.sigma=0.5"});
}

TEST_CASE("a run may search for a value") {
  const auto e = read(one_run + "find = { set = \"cluster.machines\", from = 100, to = 900, step = "
                                "10, goal = \"{scheduling_delay_s.mean} <= 0.5\" }\n");
  REQUIRE(e.runs[0].find);
  CHECK(*e.runs[0].find ==
        search_plan{"cluster.machines", 100, 900, 10, "{scheduling_delay_s.mean} <= 0.5"});
}

TEST_CASE("expectations come with bounds or as trends") {
  using shape = expectation::shape;
  const auto e =
    read(one_run + "[[expect]]\nsays = \"a\"\nvalue = \"{r: conflicts}\"\npaper = 3\n"
                   "within = 0.1\n"
                   "[[expect]]\nsays = \"b\"\nvalue = \"{r: conflicts}\"\nmin = 1\nmax = 2.5\n"
                   "paper = \"some\"\n"
                   "[[expect]]\nsays = \"c\"\nfalling = [\"{r: conflicts}\", \"3\"]\n"
                   "slack = 0.2\n"
                   "[[expect]]\nsays = \"d\"\nflat = [\"{r: conflicts}\", \"3\"]\n"
                   "tolerance = 0.3\n");
  REQUIRE(e.expectations.size() == 4);
  CHECK(e.expectations[0].paper == "3");
  CHECK(e.expectations[0].within == 0.1);
  CHECK_FALSE(e.expectations[0].min);
  CHECK(e.expectations[1].min == 1);
  CHECK(e.expectations[1].max == 2.5);
  CHECK(e.expectations[2].kind == shape::falling);
  CHECK(e.expectations[2].slack == 0.2);
  CHECK(e.expectations[3].kind == shape::flat);
  CHECK(e.expectations[3].tolerance == 0.3);
}

TEST_CASE("each and * stand for runs") {
  const auto e =
    read(one_run + "vary = { schedulers = [1, 2], \"sync.gap\" = [\"1s\", \"2s\"] }\n"
                   "[[expect]]\neach = \"r[*,1s]\"\nsays = \"a\"\nvalue = \"{conflicts}\"\n"
                   "is = \"{config.schedulers}\"\nwithin = 0\n"
                   "[[expect]]\nsays = \"b\"\n"
                   "rising = [\"{r[2,*]: conflicts} / {r[2,*]: messages}\"]\n");
  REQUIRE(e.expectations.size() == 3);
  CHECK(e.expectations[0].says == "a (r[1,1s])");
  CHECK(e.expectations[0].values == std::vector<std::string>{"{r[1,1s]: conflicts}"});
  CHECK(e.expectations[1].is == "{r[2,1s]: config.schedulers}");
  CHECK(e.expectations[2].values ==
        std::vector<std::string>{"{r[2,1s]: conflicts} / {r[2,1s]: messages}",
                                 "{r[2,2s]: conflicts} / {r[2,2s]: messages}"});
}

TEST_CASE("columns are expressions over the run of each row") {
  const auto e = read(one_run + "[[column]]\nlabel = \"l\"\nvalue = \"{conflicts} / 2\"\n");
  REQUIRE(e.columns.size() == 1);
  CHECK(e.columns[0].label == "l");
}

TEST_CASE("an experiment has no seeds but those of its runs") {
  const std::string instead = "; expected seeds = N instead, as the runs have seeds 1 to N";
  CHECK(
    contains(reading_refusal(start + "set = [\"schedulers=1\", \"seed=4\"]\n[[run]]\nname = 'r'\n"),
             ":3: key 'set.1': value \"seed=4\"" + instead));
  CHECK(contains(reading_refusal(one_run + "set = [\"seed=4\"]\n"),
                 ":5: key 'run.0.set.0': value \"seed=4\"" + instead));
  CHECK(contains(reading_refusal(one_run + "vary = { seed = [1, 2] }\n"),
                 ":5: key 'run.0.vary.seed': value [ 1, 2 ]" + instead));
  CHECK(contains(reading_refusal(one_run + "find = { set = \"seed\", from = 1, to = 4, goal = "
                                           "\"{conflicts} > 1\" }\n"),
                 ":5: key 'run.0.find.set': value \"seed\"" + instead));
}

TEST_CASE("what is wrong in an experiment is reported with its line") {
  CHECK(contains(reading_refusal("base = \"s.toml\"\n"), "key 'name'"));
  CHECK(contains(reading_refusal(start), "key 'run': value none; expected at least one [[run]]"));
  CHECK(contains(reading_refusal(start + "run = 3\n"), ":3: key 'run'"));
  CHECK(contains(reading_refusal(start + "sedes = 3\n[[run]]\nname = \"r\"\n"),
                 ":3: key 'sedes' is unknown; expected 'seeds'?"));
  CHECK(contains(reading_refusal(start + "[[run]]\nname = \"a:b\"\n"), ":4: key 'run.0.name'"));
  CHECK(
    contains(reading_refusal(one_run + "[[run]]\nname = \"r\"\n"), "a name that no other run has"));
  CHECK(contains(reading_refusal(one_run + "seeds = 0\n"), ":5: key 'run.0.seeds'"));
  CHECK(contains(reading_refusal(one_run + "colour = 0\n"), ":5: key 'run.0.colour' is unknown"));
  CHECK(contains(reading_refusal("name = \"e\"\n[[run]]\nname = \"r\"\n"),
                 "as the experiment has no base"));
  CHECK(contains(reading_refusal(one_run + "vary = { schedulers = 3 }\n"), "a list of values"));
  CHECK(
    contains(reading_refusal(one_run + "vary = { schedulers = [[1]] }\n"), "a number or a text"));
  CHECK(contains(reading_refusal(one_run + "find = { set = \"a\", from = 1 }\n"), "without to"));
  CHECK(
    contains(reading_refusal(one_run + "find = { set = \"schedulers\", from = 5, to = 4, goal = "
                                       "\"{conflicts} > 1\" }\n"),
             "at least from, 5"));
  CHECK(
    contains(reading_refusal(one_run + "find = { set = \"schedulers\", from = 1, to = 4, goal = "
                                       "\"{x > 1\" }\n"),
             "a { without its }"));
}

TEST_CASE("names that lead out of the directory of the results are refused") {
  const std::string expected = "; expected a name that can be a folder's, without control "
                               "characters or any of {}[]:,*/";
  for (const std::string name : {"", ".", "..", "a/b", "a[1]", "a\\nb"}) {
    const auto quoted = '"' + name + '"';
    const auto shown = name == "a\\nb" ? "\"a\\u000ab\"" : quoted;
    CHECK(reading_refusal("name = " + quoted + "\nbase = \"s.toml\"\n[[run]]\nname = \"r\"\n") ==
          ":1: key 'name': value " + shown + expected);
    CHECK(reading_refusal(start + "[[run]]\nname = " + quoted + "\n") ==
          ":4: key 'run.0.name': value " + shown + expected);
  }
  CHECK(read(start + "[[run]]\nname = \"..a\"\n").runs[0].name == "..a");
}

TEST_CASE("settings that cannot be used are found before anything is run") {
  CHECK(contains(reading_refusal(one_run + "set = [\"scheduler.bach=3\"]\n"),
                 "'scheduler.bach' is unknown"));
  CHECK(contains(reading_refusal(one_run + "vary = { schedulers = [5, 0] }\n"), "run 'r[0]'"));
  CHECK(
    contains(reading_refusal(one_run + "config = \"none.toml\"\n"), "none.toml: cannot be read"));
  CHECK(
    contains(reading_refusal(one_run + "find = { set = \"schedulers\", from = 0, to = 4, goal = "
                                       "\"{conflicts} > 1\" }\n"),
             "--set schedulers=0"));
}

TEST_CASE("metrics that no run measures are found before anything is run") {
  struct mistake {
    const char* text;
    const char* complaint;
  };
  const mistake mistakes[] = {
    {"[[expect]]\nsays = \"a\"\nvalue = \"{r: qualty.mean}\"\nmin = 1\n",
     ":7: key 'expect.0.value': value \"qualty.mean\"; expected a number that run 'r' measures, "
     "but "},
    {"[[expect]]\nsays = \"a\"\nvalue = \"{r: qualty.mean}\"\nmin = 1\n",
     "did you mean 'quality'?"},
    {"[[expect]]\nsays = \"a\"\nrising = [\"1\", \"{r: quality.men}\"]\n",
     ":7: key 'expect.0.rising'"},
    {"[[expect]]\nsays = \"a\"\nvalue = 1\nwithin = 1\nis = \"{r: foo}\"\n",
     ":9: key 'expect.0.is': value \"foo\""},
    {"[[expect]]\neach = \"r\"\nsays = \"a\"\nvalue = \"{tasks.plaecd}\"\nmin = 1\n",
     "did you mean 'placed'?"},
    {"[[column]]\nlabel = \"l\"\nvalue = \"{qualty.mean}\"\n",
     ":7: key 'column.0.value': value \"qualty.mean\"; expected a number that a run measures, "
     "but "},
    {"find = { set = \"schedulers\", from = 1, to = 4, goal = \"{tasks.plaecd} > 1\" }\n",
     ":5: key 'run.0.find.goal': value \"tasks.plaecd\"; expected a number that run 'r' measures"},
  };
  for (const auto& [text, complaint] : mistakes) {
    const auto message = reading_refusal(one_run + text);
    CHECK_MESSAGE(contains(message, complaint), message);
  }
}

TEST_CASE("a metric that some runs measure may be a column") {
  const auto text = "[[run]]\nname = \"two\"\nset = [\"architecture=two-level\"]\n"
                    "[[column]]\nlabel = \"l\"\nvalue = \"{offers.made}\"\n";
  CHECK(read(one_run + text).columns.size() == 1);
  CHECK(contains(reading_refusal(one_run + text +
                                 "[[expect]]\nsays = \"a\"\nmin = 1\n"
                                 "value = \"{r: offers.made}\"\n"),
                 "there is no 'offers'"));
}

TEST_CASE("wrong expectations are found before anything is run") {
  const auto expect = [](const std::string& text) {
    return reading_refusal(one_run + "[[expect]]\n" + text);
  };
  CHECK(contains(expect("value = \"{r: conflicts}\"\nmin = 1\n"), "without says"));
  CHECK(
    contains(expect("says = \"a\"\nvalue = \"{r: conflicts}\"\n"), "at least one of min, max and"));
  CHECK(contains(expect("says = \"a\"\nmin = 1\n"), "0 of value, rising, falling and flat"));
  CHECK(contains(expect("says = \"a\"\nvalue = \"1\"\nrising = [\"1\", \"2\"]\n"), "2 of value"));
  CHECK(contains(expect("says = \"a\"\nrising = [\"1\"]\n"), "at least two"));
  CHECK(
    contains(expect("says = \"a\"\nrising = [\"1\", \"2\"]\nmin = 1\n"), "a trend with bounds"));
  CHECK(contains(expect("says = \"a\"\nflat = [\"1\", \"2\"]\n"), "flat without tolerance"));
  CHECK(contains(expect("says = \"a\"\nvalue = \"{r: conflicts}\"\nwithin = 1\npaper = \"much\"\n"),
                 "something to be within"));
  CHECK(contains(expect("says = \"a\"\nvalue = \"{r: conflicts}\"\nwithin = -1\npaper = 3\n"),
                 ":8: key 'expect.0.within': value -1; expected "));
  CHECK(contains(expect("says = \"a\"\nvalue = \"{r: conflicts}\"\nmin = 2\nmax = 1\n"),
                 ":9: key 'expect.0.max': value 1; expected at least min, 2"));
  CHECK(contains(expect("says = \"a\"\nvalue = \"{rr: conflicts}\"\nmin = 1\n"), "such as 'r'"));
  CHECK(contains(expect("says = \"a\"\nvalue = \"{conflicts}\"\nmin = 1\n"),
                 "the name of a run in {conflicts}"));
  CHECK(contains(expect("says = \"a\"\nvalue = \"{r: found}\"\nmin = 1\n"), "a run with find"));
  CHECK(contains(expect("says = \"a\"\nvalue = \"{r: x\"\nmin = 1\n"), "without its }"));
  CHECK(contains(expect("says = \"a\"\neach = \"q*\"\nvalue = \"{conflicts}\"\nmin = 1\n"),
                 "run 'q*'"));
  CHECK(
    contains(reading_refusal(one_run + "[[column]]\nlabel = \"l\"\nvalue = \"{r: conflicts}\"\n"),
             "values of the run of each row"));
}

TEST_CASE("an experiment has lines and figures of its paper") {
  const auto e =
    read(one_run + "vary = { schedulers = [1, 2] }\n"
                   "[[paper_line]]\nsays = \"held\"\nrun = \"r[1]\"\ncolumn = \"quality_mean\"\n"
                   "from = \"30s\"\nvalue = 1.5\n"
                   "[[figure]]\ntitle = \"T\"\nx = \"{config.schedulers}\"\nx_axis = \"N\"\n"
                   "y = \"{quality.mean}\"\ny_axis = \"Q\"\ny_log = true\n"
                   "line = [{ label = \"all\", runs = [\"r[*]\"] }]\n"
                   "point = [{ says = \"twice\", x = 2, y = \"2 * {r[1]: quality.mean}\" },\n"
                   "         { says = \"both\", x = \"{r[2]: tasks.placed} / 2\", y = 0.5 }]\n");
  REQUIRE(e.paper_lines.size() == 1);
  CHECK(e.paper_lines[0].from == std::chrono::seconds{30});
  CHECK(e.paper_lines[0].value == 1.5);
  REQUIRE(e.figures.size() == 1);
  CHECK(e.figures[0].y_log);
  CHECK(e.figures[0].lines[0].runs == std::vector<std::string>{"r[*]"});
  REQUIRE(e.figures[0].points.size() == 2);
  CHECK(e.figures[0].points[0].x == "2");
  CHECK(e.figures[0].points[0].y == "2 * {r[1]: quality.mean}");
  CHECK(e.figures[0].points[1].x == "{r[2]: tasks.placed} / 2");
  CHECK(e.figures[0].points[1].y == "0.5");
}

TEST_CASE("wrong lines and figures of a paper are reported with their line") {
  const auto line = one_run + "[[paper_line]]\nsays = \"s\"\ncolumn = \"c\"\n";
  CHECK(contains(reading_refusal(line + "run = \"r\"\n"), "without says, column or value"));
  CHECK(contains(reading_refusal(line + "value = 1\nrun = \"q\"\n"), "such as 'r'"));
  const auto figure = one_run + "[[figure]]\ntitle = \"T\"\nx_axis = \"N\"\ny_axis = \"Q\"\n";
  const auto with_line = figure + "x = \"1\"\nline = [{ label = \"l\", runs = [\"r\"] }]\n";
  CHECK(contains(reading_refusal(with_line), "without title, x, y, x_axis or y_axis"));
  CHECK(
    contains(reading_refusal(with_line + "y = \"{r: quality.mean}\"\n"), "as in {quality.mean}"));
  CHECK(contains(reading_refusal(figure + "x = \"1\"\ny = \"1\"\n"), "without line"));
  for (const std::string point : {"x = \"{q: x}\", y = 1", "x = 1, y = \"{q: x}\""})
    CHECK(contains(
      reading_refusal(with_line + "y = \"1\"\npoint = [{ says = \"s\", " + point + " }]\n"),
      "such as 'r'"));
  CHECK(contains(
    reading_refusal(with_line + "y = \"1\"\npoint = [{ says = \"s\", x = true, y = 1 }]\n"),
    "a number or an expression"));
  CHECK(contains(reading_refusal(with_line + "y = \"1\"\npoint = [{ says = \"s\", y = 1 }]\n"),
                 "without says, x or y"));
  CHECK(contains(reading_refusal(with_line + "y = \"1 +\"\n"), ":"));
  CHECK(reading_refusal(with_line + "y = \"1\"\n") == "accepted");
}
