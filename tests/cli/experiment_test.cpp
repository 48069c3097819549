#include "cli/process.hpp"
#include "cli/samples.hpp"
#include "support/long_case.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <filesystem>

using namespace troupe::test;

namespace {

const std::string tiny_experiment = R"(
name = "try"
title = "A try"
source = "nobody"
about = "Two rates."
seeds = 2
base = "tiny.toml"

[[run]]
name = "rate"
vary = { "workload.phases.0.rate" = [10, 30] }

[[run]]
name = "least"
find = { set = "cluster.machines", from = 10, to = 40, goal = "{utilization.max} <= 0.5" }

[[expect]]
says = "more tasks at a higher rate"
rising = ["{rate[*]: tasks.submitted}"]

[[expect]]
says = "half of the slots are enough"
value = "{least: found}"
min = 10
max = 40
)";

const std::string impossible = R"(
[[expect]]
says = "no task waits"
paper = 0
value = "{rate[30]: scheduling_delay_s.mean}"
max = -1
)";

/// Writes the folder try with an experiment and its settings.
void write_experiment(const scratch& here, const std::string& text) {
  std::filesystem::create_directories(here.path() / "try");
  here.write("try/tiny.toml", tiny_settings);
  here.write("try/experiment.toml", text);
}

nlohmann::json result_in(const scratch& here, const std::string& folder) {
  return nlohmann::json::parse(read_file(here.path() / folder / "result.json"));
}

} // namespace

TEST_CASE("an experiment whose expectations hold passes") {
  const scratch here;
  write_experiment(here, tiny_experiment);
  const auto run = here.run({"experiment", "try"});
  CAPTURE(run.err);
  CAPTURE(run.out);
  CHECK(run.code == 0);
  CHECK(contains(run.out, "A try\nnobody\n"));
  CHECK(contains(run.out, "PASS  every run ends well and its self-checks hold"));
  CHECK(contains(run.out, "PASS  more tasks at a higher rate"));
  CHECK_FALSE(contains(run.out, "FAIL"));
  const auto result = result_in(here, "results/experiments/try");
  CHECK(result.at("passed") == true);
  CHECK(result.at("runs").at(2).at("found") >= 10);
  const auto runs = here.path() / "results" / "experiments" / "try" / "runs";
  CHECK(std::filesystem::exists(runs / "rate[10]" / "seed-2" / "summary.json"));
}

TEST_CASE("an expectation that does not hold fails the experiment") {
  const scratch here;
  write_experiment(here, tiny_experiment + impossible);
  const auto run = here.run({"experiment", "try", "-q", "--out", "out", "--only", "rate"});
  CHECK(run.code == 1);
  CHECK(run.err == "");
  CHECK(contains(run.out, "FAIL  no task waits\n      measured "));
  CHECK(contains(run.out, "SKIP  half of the slots are enough"));
  CHECK(result_in(here, "out").at("passed") == false);
}

TEST_CASE("results are used again on request, unless settings differ" * long_case) {
  const scratch here;
  write_experiment(here, tiny_experiment);
  const std::vector<std::string> again{
    "experiment", "try/experiment.toml", "--out", "out", "--only", "rate", "--resume"};
  CHECK(contains(here.run(again).out, "PASS  more tasks"));
  const auto first = result_in(here, "out");
  auto run = here.run(again);
  CHECK(contains(run.err, "4 runs were done before"));
  CHECK(result_in(here, "out") == first);
  here.write("try/tiny.toml", std::string{tiny_settings} + "\n[sync]\ngap = \"2s\"\n");
  run = here.run(again);
  CHECK(run.code == 0);
  CHECK_FALSE(contains(run.err, "done before"));
}

TEST_CASE("results become a document with the notes beside the experiment" * long_case) {
  const scratch here;
  write_experiment(here, tiny_experiment);
  here.write("try/notes.md", "It was *easy*.\n");
  REQUIRE(here.run({"experiment", "try", "-q", "--only", "rate"}).code == 0);
  const auto run = here.run({"results", "results/experiments/try"});
  CHECK(run.code == 0);
  CHECK(run.out.starts_with("# Results\n"));
  CHECK(contains(run.out, "## A try\n"));
  CHECK(run.out.ends_with("### Notes\n\nIt was *easy*.\n"));
  const auto markdown =
    here.run({"experiment", "try", "-q", "--only", "rate", "--resume", "--format", "markdown"});
  CHECK(contains(run.out, markdown.out.substr(0, markdown.out.size() - 1)));
  const auto none = here.run({"results", "nowhere"});
  CHECK(none.code == 2);
  CHECK(contains(none.err, "nowhere"));
}

TEST_CASE("a wrong experiment is refused before anything runs") {
  const scratch here;
  write_experiment(here,
                   tiny_experiment + "[[expect]]\nsays = \"x\"\nvalue = \"{rat: x}\"\nmin = 1\n");
  const auto before = here.entries();
  const auto run = here.run({"experiment", "try"});
  CHECK(run.code == 2);
  CHECK(run.out == "");
  CHECK(std::count(run.err.begin(), run.err.end(), '\n') == 1);
  CHECK(contains(run.err, "experiment.toml:"));
  const auto nobody = here.run({"experiment", "try/tiny.toml"});
  CHECK(nobody.code == 2);
  CHECK(here.entries() == before);
}

TEST_CASE("each --only has to name a run") {
  const scratch here;
  write_experiment(here, tiny_experiment);
  const auto before = here.entries();
  const auto run = here.run({"experiment", "try", "--only", "rate", "--only", "leats"});
  CHECK(run.code == 2);
  CHECK(run.out == "");
  CHECK(run.err == "troupe: try/experiment.toml: there is no run named 'leats'; expected one of "
                   "rate[10], rate[30], least\n");
  CHECK(here.entries() == before);
}

TEST_CASE("a run that fails is named with what it said last") {
  const scratch here;
  write_experiment(here, tiny_experiment);
  std::filesystem::create_directories(here.path() / "out" / "runs" / "rate[10]" / "seed-1");
  here.write("out/runs/rate[10]/seed-1/diary.txt", "mine");
  const auto run = here.run({"experiment", "try", "-q", "--out", "out", "--only", "rate"});
  CHECK(run.code == 1);
  CHECK(contains(run.err, "rate[10], seed 1: exit code 2: troupe: cannot write results to"));
  CHECK(contains(run.out, "FAIL  every run ends well"));
  CHECK(contains(run.out, "because: rate[10], seed 1: it failed with exit code 2"));
}

TEST_CASE("a signal ends an experiment and all of its runs") {
  const scratch here;
  write_experiment(here, tiny_experiment);
  here.write("try/tiny.toml", std::string{tiny_settings} + "\n[[workload.phases]]\n"
                                                           "length = \"100000h\"\nrate = 30\n");
  program run{here.path(), {"experiment", "try", "--jobs", "2", "--out", "out"}};
  REQUIRE(run.wait_for("try: A try"));
  run.send_signal(SIGTERM);
  const auto result = run.wait();
  CAPTURE(result.err);
  CHECK(result.code == 143);
  CHECK(contains(result.err, "interrupted; --resume reuses"));
  CHECK_FALSE(std::filesystem::exists(here.path() / "out" / "result.json"));
}
