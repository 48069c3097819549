#include "cli/samples.hpp"
#include "cli/shell.hpp"
#include "support/documented_json.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <map>

using namespace troupe::test;
using explained_json = nlohmann::json;

namespace {

/// A run whose results can be explained. There are too few machines, and tasks wait at the end.
void make_run(const scratch& here, const std::string& more = "") {
  here.write("tiny.toml", tiny_settings);
  const auto run = here.run({"run", "tiny.toml", "--records", "tasks", "--set", "duration=4s",
                             "--set", "cluster.machines=8", "--out", "r", "--quiet", "--no-report",
                             "--set", more.empty() ? "seed=1" : more});
  CAPTURE(run.err);
  REQUIRE(run.code == 0);
}

explained_json told(const outcome& run, const std::string& section) {
  static const documented_json documented;
  CAPTURE(run.err);
  REQUIRE(run.code == 0);
  const auto output = explained_json::parse(run.out, nullptr, false);
  REQUIRE_FALSE(output.is_discarded());
  for (const auto& fault : documented.faults(section, output))
    FAIL_CHECK(section << ": " << fault);
  return output;
}

std::uint64_t sum_of(const explained_json& survey) {
  std::uint64_t n = 0;
  for (const auto& c : survey["checks"])
    n += c["machines"].get<std::uint64_t>();
  return n;
}

} // namespace

TEST_CASE("explain tells the story of a task, as text and as JSON") {
  for (const char* more :
       {"", "architecture=sparrow", "architecture=two-level", "workload.gang=true"}) {
    CAPTURE(more);
    const scratch here;
    make_run(here, more);
    const auto text = here.run({"explain", "3.0", "--in", "r"});
    CHECK(text.code == 0);
    CHECK(text.err.find("the run is made again") != std::string::npos);
    CHECK(text.out.starts_with("Task 3.0 ran on machine "));
    const auto json =
      told(here.run({"explain", "all/3.0", "--in", "r", "--json", "-q"}), "explain");
    CHECK(json["task"] == "3.0");
    CHECK(json["replayed"] == true);
    CHECK(json["story"]["runs"].size() == 1);
    CHECK(json["story"]["state"] == "finished");
    CHECK(here.run({"explain", "3", "--in", "r", "-q"}).out.starts_with("Job 3 has 1 task "));
    CHECK_FALSE(
      told(here.run({"explain", "3", "--in", "r", "--json"}), "explain").contains("story"));
  }
}

TEST_CASE("why-not counts all machines, and judges one") {
  for (const char* more : {"", "architecture=sparrow", "architecture=static"}) {
    CAPTURE(more);
    const scratch here;
    make_run(here, more);
    for (const char* task : {"3.0", "60.0", "100.0"}) {
      CAPTURE(task);
      const auto all = told(here.run({"why-not", task, "--in", "r", "--json"}), "why-not");
      CHECK(sum_of(all["by_owners"]) == 8);
      if (!all["by_view"].is_null())
        CHECK(sum_of(all["by_view"]) == 8);
      const auto one = told(here.run({"why-not", task, "5", "--in", "r", "--json"}), "why-not");
      CHECK(one["machine"] == 5);
      CHECK(one["machine_by_owner"].is_object());
      told(here.run({"why-not", task, "5", "--in", "r", "--at", "2s", "--json"}), "why-not");
    }
    CHECK(
      here.run({"why-not", "100.0", "--in", "r"}).out.find("Next: troupe explain 100.0 --in r") !=
      std::string::npos);
  }
}

TEST_CASE("explain and why-not refuse what they cannot answer") {
  const scratch here;
  make_run(here);
  const auto fails = [&](const std::vector<std::string>& arguments, int code,
                         const std::string& words) {
    const auto run = here.run(arguments);
    CAPTURE(arguments[1]);
    CHECK(run.code == code);
    CAPTURE(run.err);
    CHECK(run.err.find(words) != std::string::npos);
  };
  fails({"explain", "99999.0", "--in", "r"}, 1, "no task 99999.0 in r");
  fails({"explain", "3.7", "--in", "r"}, 1, "no task 3.7 in r: job 3 has 1 task");
  fails({"explain", "99999", "--in", "r"}, 1, "no job 99999 in r");
  fails({"explain", "x.1", "--in", "r"}, 2, "'x.1' is no task; expected JOB.TASK");
  fails({"explain", "web/1.1", "--in", "r"}, 2, "expected one of the groups all");
  fails({"explain", "3.0", "--in", "nowhere"}, 2, "no config.toml");
  fails({"why-not", "3", "--in", "r"}, 2, "'3' is a job; expected one of its tasks");
  fails({"why-not", "3.0", "8", "--in", "r"}, 2, "expected a number from 0 to 7");
  fails({"why-not", "3.0", "--in", "r", "--at", "soon"}, 2, "--at soon: expected a duration");
  // Results of other settings, or of another program, are not explained by this one.
  auto config = read_file(here.path() / "r/config.toml");
  config.replace(config.find("seed = 1"), 8, "seed = 2");
  here.write("r/config.toml", config);
  fails({"explain", "3.0", "--in", "r"}, 1, "differs from timeseries.csv in line 2");
}

TEST_CASE("without records, and of a run in real time, explain says what it can") {
  const scratch here;
  make_run(here, "records=tasks");
  for (const char* name : {"r/jobs.csv.gz", "r/tasks.csv.gz", "r/attempts.csv.gz"})
    std::filesystem::remove(here.path() / name);
  CHECK(here.run({"explain", "3.0", "--in", "r"}).out.starts_with("Task 3.0 ran on machine "));
  const auto missing = here.run({"explain", "99999.0", "--in", "r"});
  CHECK(missing.code == 1);
  CHECK(missing.err.find("no scheduler had it") != std::string::npos);
  const auto real = here.run({"run", "tiny.toml", "--set", "clock=real", "--set", "duration=1s",
                              "--records", "tasks", "--out", "w", "--quiet", "--no-report"});
  CAPTURE(real.err);
  REQUIRE(real.code == 0);
  const auto json = told(here.run({"explain", "0.0", "--in", "w", "--json"}), "explain");
  CHECK(json["replayed"] == false);
  CHECK(json["sentences"].size() >= 1);
  const auto why = here.run({"why-not", "0.0", "--in", "w"});
  CHECK(why.code == 0);
  CHECK(why.out.starts_with("Over: task 0.0 ran on machine "));
  CHECK(why.out.find("of 20 machines 20 could hold it if they had room.") != std::string::npos);
  const auto there = told(here.run({"why-not", "0.0", "3", "--in", "w", "--json"}), "why-not");
  CHECK(there["verdict"] == "over");
  CHECK(there["machine"] == 3);
  CHECK(there["machine_if_idle"]["check"] == "fits");
  CHECK(sum_of(there["if_idle"]) == 20);
  CHECK(there["by_owners"].is_null());
  CHECK(there["why_not_replayed"].get<std::string>().find("real time") != std::string::npos);
  const auto then = here.run({"why-not", "0.0", "--in", "w", "--at", "1s"});
  CHECK(then.code == 2);
  CHECK(then.err.find("expected no --at") != std::string::npos);
  CHECK(here.run({"why-not", "0.0", "20", "--in", "w"}).code == 2);
  CHECK(here.run({"why-not", "99999.0", "--in", "w"}).code == 1);
}

TEST_CASE("why-not tells of a run in real time which machines are excluded for good") {
  const scratch here;
  here.write("mixed.toml", R"(
name = "mixed"
schedulers = 2
clock = "real"
duration = "1s"
architecture = "static"
[cluster]
machines = 12
partitions = 4
owners = 2
[[cluster.classes]]
name = "small"
share = 1
cpu = 2
memory = 8
attributes = { disk = "ssd" }
[[cluster.classes]]
name = "large"
share = 1
cpu = 8
memory = 32
attributes = { disk = "hdd" }
[workload]
cpu = 4
memory = 1
constraints = ["disk == hdd"]
phases = [{ length = "1s", rate = 100 }]
duration = { value = 60 }
)");
  const auto run =
    here.run({"run", "mixed.toml", "--records", "tasks", "--out", "m", "-q", "--no-report"});
  CAPTURE(run.err);
  REQUIRE(run.code == 0);
  const auto waits = told(here.run({"why-not", "40.0", "--in", "m", "--json"}), "why-not");
  CHECK(waits["verdict"] == "in_doubt");
  CHECK(waits["reason"] != "");
  std::map<std::string, int> checks;
  for (const auto& c : waits["if_idle"]["checks"])
    checks[c["check"]] += c["machines"].get<int>();
  CHECK(checks["too_small"] == 6);
  CHECK(checks["other_share"] == 3);
  CHECK(checks["fits"] == 3);
}
