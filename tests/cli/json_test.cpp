#include "cli/samples.hpp"
#include "cli/shell.hpp"
#include "support/documented_json.hpp"
#include "support/long_case.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <utility>

using namespace troupe::test;
using output_json = nlohmann::json;

namespace {

/// Runs a command, checks that standard output is one JSON value as the section of docs/json.md
/// says, and returns that.
output_json checked(const scratch& here, const std::string& section,
                    const std::vector<std::string>& arguments, int code = 0) {
  static const documented_json documented;
  const auto run = here.run(arguments);
  CAPTURE(section);
  CAPTURE(run.err);
  CHECK(run.code == code);
  const auto output = output_json::parse(run.out, nullptr, false);
  REQUIRE_FALSE(output.is_discarded());
  for (const auto& fault : documented.faults(section, output))
    FAIL_CHECK(section << ": " << fault);
  CHECK(run.out.starts_with("{\n  \"format\": 1,\n"));
  return output;
}

} // namespace

TEST_CASE("run prints its results as JSON, as documented") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  const auto run = checked(here, "run", {"run", "tiny.toml", "--json"});
  CHECK(run["directory"] == "results/tiny-1");
  CHECK(run["summary"] ==
        output_json::parse(read_file(here.path() / "results/tiny-1/summary.json")));
  const auto same = checked(here, "verification", {"run", "--verify", "results/tiny-1", "--json"});
  CHECK(same["same"] == true);
  for (const char* architecture : {"two-level", "sparrow", "static"})
    checked(here, "run",
            {"run", "tiny.toml", "--json", "--set", std::string("architecture=") + architecture});
  checked(here, "run",
          {"run", "tiny.toml", "--json", "--quiet", "--set", "tenants=[{name=\"a\"},{name=\"b\"}]",
           "--set", "policy_changes=[{at=\"1s\",to=\"adaptive\"}]"});
  const auto measured = checked(here, "run",
                                {"run", "tiny.toml", "--json", "--set", "architecture=monolithic",
                                 "--set", "schedulers=1", "--set", "scheduler.discipline=easy"});
  CHECK(measured["summary"]["parallel_jobs"]["jobs"] == measured["summary"]["jobs"]["finished"]);
  here.write("failing.toml", std::string("extends = \"tiny.toml\"\n") + one_failure);
  const auto failing = checked(here, "run", {"run", "failing.toml", "--json"});
  CHECK(failing.contains("without_failures"));
}

TEST_CASE("comparisons, sweeps and searches print JSON, as documented" * long_case) {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  here.write("other.toml", "extends = \"tiny.toml\"\nname = \"other\"\nschedulers = 1\n");
  const auto compared =
    checked(here, "compare", {"compare", "tiny.toml", "other.toml", "--seeds", "2", "--json"});
  CHECK(compared["configurations"].size() == 2);
  const auto by_format = here.run(
    {"compare", "tiny.toml", "--seeds", "1", "--metric", "tasks.submitted", "--format", "json"});
  const auto by_flag = here.run(
    {"compare", "tiny.toml", "--seeds", "1", "--metric", "tasks.submitted", "--json", "--quiet"});
  CHECK(by_format.out == by_flag.out);
  checked(here, "sweep",
          {"sweep", "tiny.toml", "--vary", "sync.gap=1s,2s", "--seeds", "2", "--json"});
  checked(here, "find",
          {"find", "tiny.toml", "--vary", "schedulers=1..3", "--until",
           "scheduling_delay_s.mean < 1", "--seeds", "2", "--json"});
}

TEST_CASE("fidelity prints JSON, as documented" * long_case) {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  const auto result = checked(here, "fidelity",
                              {"fidelity", "tiny.toml", "--nodes", "2", "--json", "--set",
                               "duration=1s", "--set", "workload.phases.0.length=1s"});
  CHECK(result["ways"].size() == 3);
}

TEST_CASE("fidelity replaces the results of an earlier call" * long_case) {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  for (const char* seed : {"seed=1", "seed=1", "seed=2"}) {
    const auto run =
      here.run({"fidelity", "tiny.toml", "--nodes", "2", "--out", "o", "--set", "duration=1s",
                "--set", "workload.phases.0.length=1s", "--set", seed});
    CAPTURE(run.err);
    CHECK(run.code == 0);
    for (const char* way : {"virtual", "real", "nodes/results"})
      CHECK(contains(read_file(here.path() / "o" / way / "config.toml"),
                     "seed = " + std::string{seed}.substr(5) + '\n'));
  }
}

TEST_CASE("fidelity that is interrupted says so by its exit code") {
  for (const auto& [signal, code] : {std::pair{SIGINT, 130}, std::pair{SIGTERM, 143}}) {
    const scratch here;
    here.write("tiny.toml", tiny_settings);
    program run{here.path(),
                {"fidelity", "tiny.toml", "--nodes", "2", "--set", "duration=60s", "--set",
                 "workload.phases.0.length=60s"}};
    REQUIRE(run.wait_for("one process ..."));
    run.send_signal(signal);
    const auto result = run.wait();
    CAPTURE(result.err);
    CHECK(result.code == code);
    CHECK(result.out == "");
    CHECK(contains(result.err, "interrupted"));
    CHECK_FALSE(contains(result.err, "troupe: "));
  }
}

TEST_CASE("an experiment prints JSON, as documented" * long_case) {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  here.write("one.toml", R"(
name = "one"
title = "One"
source = "nobody"
about = "Two rates."
seeds = 1
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
)");
  const auto result = checked(here, "experiment", {"experiment", "one.toml", "--json"});
  CHECK(result["experiments"][0]["name"] == "one");
  CHECK(result["passed"] == true);
  const auto again = checked(here, "experiment", {"results", "results/experiments/one", "--json"});
  CHECK(again["experiments"] == result["experiments"]);
  CHECK(again["passed"] == true);
}

TEST_CASE("chaos prints JSON, as documented, also where seeds fail") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  const auto passed = checked(here, "chaos", {"chaos", "tiny.toml", "--seeds", "1..2", "--json"});
  CHECK(passed["passed"] == true);
  const auto failed =
    checked(here, "chaos",
            {"chaos", "tiny.toml", "--seeds", "1..3", "--events", "5", "--set",
             "workload.duration.value=1000", "--set", "chaos.patience=1s", "--json"},
            1);
  CHECK(failed["failed"] == 3);
  CHECK(failed["first"]["seed"] == 1);
  CHECK(failed["first"]["last_events"].size() == 5);
  checked(here, "chaos", {"chaos", "--swarm", "--seeds", "1..2", "--json"});
}

TEST_CASE("policies, checks and traces print JSON, as documented") {
  const scratch here;
  here.write("jobs.tr", tiny_trace);
  checked(here, "policies", {"policies", "--json"});
  checked(here, "check", {"check", "policy", "adaptive", "--json"});
  checked(here, "check", {"check", "scheduler", "sparrow", "--json"});
  checked(here, "trace", {"trace", "jobs.tr", "--json"});
  const auto fitted = checked(here, "trace fit", {"trace", "fit", "jobs.tr", "--json"});
  CHECK(fitted["file"] == "jobs-fit.toml");
  const auto written =
    checked(here, "trace convert", {"trace", "convert", "jobs.tr", "again.tr", "--json"});
  CHECK(written["tasks"] == 6);
}

TEST_CASE("exports print JSON, as documented") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  REQUIRE(here.run({"run", "tiny.toml", "-q", "--records", "jobs", "--out", "out"}).code == 0);
  const auto exported = checked(here, "export", {"export", "out", "--as", "swf", "--json"});
  CHECK(exported["file"] == "out.swf");
  CHECK(exported["jobs"] > 0);
}

TEST_CASE("a page that was written is told as JSON, as documented") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  REQUIRE(here.run({"run", "tiny.toml", "-q", "--out", "out"}).code == 0);
  const auto page = checked(here, "report", {"report", "out", "--json"});
  CHECK(page["file"] == "out/report.html");
  CHECK(page["runs"] == 1);
}

TEST_CASE("certificates and versions are printed as JSON, as documented") {
  const scratch here;
  checked(here, "certs init, certs issue", {"certs", "init", "--json"});
  const auto issued = checked(here, "certs init, certs issue",
                              {"certs", "issue", "a", "--roles", "master,owner", "--json"});
  CHECK(issued["certificate"]["roles"] == output_json{"master", "owner"});
  CHECK(checked(here, "certs show", {"certs", "show", "--json"})["certificates"].size() == 2);
  CHECK(checked(here, "version", {"version", "--json"})["version"] == TROUPE_VERSION);
}

TEST_CASE("mistakes are printed as JSON, with the exit code as before") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  const auto missing = checked(here, "error", {"run", "missing.toml", "--json"}, 2);
  CHECK(contains(missing["error"].get<std::string>(), "missing.toml"));
  checked(here, "error", {"run", "tiny.toml", "--fast", "--json"}, 2);
  checked(here, "error", {"sweep", "tiny.toml", "--format", "json"}, 2);
  checked(here, "error", {"status", "--at", "127.0.0.1:1", "--json"}, 1);
  checked(here, "error", {"trace", "missing.tr", "--json"}, 2);
}
