#include "cli/process.hpp"
#include "cli/samples.hpp"
#include "cli/shell.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

using namespace troupe::test;

namespace {

/// Runs `arguments` and checks that they are refused: one line that has `complaint` in it, exit
/// code 2, and not one file more than before.
void check_refused(const scratch& here, const std::vector<std::string>& arguments,
                   const std::string& complaint) {
  const auto before = here.entries();
  const auto result = here.run(arguments);
  CAPTURE(result.err);
  CAPTURE(complaint);
  CHECK(result.code == 2);
  CHECK(result.out == "");
  CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
  CHECK(result.err.find(complaint) != std::string::npos);
  CHECK(here.entries() == before);
}

} // namespace

TEST_CASE("bad settings are refused with file and line before anything is written") {
  struct mistake {
    std::string text;
    std::string complaint;
  };
  const std::vector<mistake> mistakes = {
    {"", "bad.toml"},
    {"name = \"x\"\nseed = \n", "bad.toml:2"},
    {"name = \"x\"\n[cluster\n", "bad.toml:2"},
    {"name = \"x\"\nspeed = 3\n", "bad.toml:2"},
    {"seed = 1\nseed = 2\n", "bad.toml:2"},
    {"seed = \"one\"\n", "bad.toml:1"},
    {"seed = -1\n", "bad.toml:1"},
    {"name = 3\n", "bad.toml:1"},
    {"interval = 5\n", "5s"},
    {"interval = \"5 parsecs\"\n", "bad.toml:1"},
    {"architecture = \"anarchy\"\n", "parsync"},
    {"clock = \"cuckoo\"\n", "virtual"},
    {"\n[scheduler]\npolicy = \"luck\"\n", "latency-first"},
    {"[cluster]\nmachines = 0\n", "bad.toml:2"},
    {"[cluster]\nmachines = 1e99\n", "bad.toml:2"},
    {"[cluster]\nmachines = 10\npartitions = 11\nowners = 1\n"
     "[[workload.phases]]\nrate = 5\n",
     "partitions"},
    {"[network]\nloss = 1.5\n", "bad.toml:2"},
    {"[network]\nloss = nan\n", "bad.toml:2"},
    {"[workload]\nkind = \"phases\"\n", "phases"},
    {"[[workload.phases]]\nrate = 5\nload = 0.5\n", "load"},
    {std::string{"\x00\x01\x02\xff", 4}, "bad.toml:1"},
  };
  for (const auto& [text, complaint] : mistakes) {
    const scratch here;
    here.write("bad.toml", text);
    CAPTURE(text);
    check_refused(here, {"run", "bad.toml"}, complaint);
  }
}

TEST_CASE("a bad trace is refused with its name before anything is written") {
  struct mistake {
    std::string text;
    std::string complaint;
  };
  const std::vector<mistake> mistakes = {
    {"", "bad.tr"},
    {"\n\n  \n", "bad.tr"},
    {"# nothing but a remark\n", "bad.tr"},
    {"no trace at all\n", "bad.tr:1"},
    {"0.0 3 1.0 1.0\n", "bad.tr:1"},
    {"0.0 two 1.0 1.0 1.0\n", "bad.tr:1"},
    {"time,tasks,mean\n0,1,1\n", "bad.tr:1"},
    {std::string{"\x7f"
                 "ELF\x02\x01\x01\x00\x00\x00\xff\xfe\n\x00\x01",
                 15},
     "bad.tr"},
    {std::string{"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b", 11}, "bad.tr"},
  };
  for (const auto& [text, complaint] : mistakes) {
    const scratch here;
    here.write("replay.toml", tiny_trace_settings);
    here.write("bad.tr", text);
    CAPTURE(text);
    check_refused(here, {"run", "replay.toml", "--set", "workload.file=bad.tr"}, complaint);
  }
}

TEST_CASE("a trace that is not there, or is no file, is refused") {
  const scratch here;
  here.write("replay.toml", tiny_trace_settings);
  check_refused(here, {"run", "replay.toml"}, "workload.file");
  check_refused(here, {"run", "replay.toml", "--set", "workload.file=none.tr"}, "none.tr");
  std::filesystem::create_directory(here.path() / "dir.tr");
  check_refused(here, {"run", "replay.toml", "--set", "workload.file=dir.tr"}, "dir.tr");
}

TEST_CASE("a recording of a cluster elsewhere does not take the settings of one that is here") {
  scratch here;
  std::filesystem::create_directory(here.path() / "cluster");
  here.write("cluster/cluster.toml", tiny_settings);
  const auto result = in_bash(here, "TROUPE_API=http://127.0.0.1:1/ $TROUPE record\n");
  CHECK(result.code == 2);
  CHECK(contains(result.err, "the settings of the cluster are not known; expected --config FILE"));
}

TEST_CASE("a timeline replaces no file but an older timeline") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  here.write("notes.txt", "mine\n");
  for (const auto* file : {"tiny.toml", "notes.txt"})
    check_refused(here, {"run", "tiny.toml", "--timeline", file}, "it exists and is no timeline");
  CHECK(read_file(here.path() / "tiny.toml") == tiny_settings);
  CHECK(read_file(here.path() / "notes.txt") == "mine\n");
  for (const auto* file : {"t.json", "t.json", "t.json.gz", "t.json.gz"})
    CHECK(here.run({"run", "tiny.toml", "-q", "--no-report", "--out", "out", "--timeline", file})
            .code == 0);
}

TEST_CASE("a timeline that is refused, or whose run is, changes no file") {
  const scratch here;
  here.write("tiny.toml", std::string{tiny_settings} + one_failure);
  REQUIRE(here.run({"run", "tiny.toml", "-q", "--no-report", "--out", "out"}).code == 0);
  for (const auto* file : {"out/t.json", "out/summary.json.gz", "./out/../out/timeseries.csv",
                           "out-without-failures/t.json"}) {
    const auto before = here.entries();
    const auto refused = here.run({"run", "tiny.toml", "--out", "out", "--timeline", file});
    CAPTURE(file);
    CAPTURE(refused.err);
    CHECK(refused.code == 2);
    CHECK(contains(refused.err, std::string{"--timeline "} + file));
    CHECK(here.entries() == before);
  }
  REQUIRE(here.run({"run", "tiny.toml", "-q", "--out", "out", "--timeline", "t.json"}).code == 0);
  const auto older = read_file(here.path() / "t.json");
  REQUIRE(older.size() > 1000);
  std::filesystem::create_directory(here.path() / "photos");
  here.write("photos/cat.jpg", "purr");
  CHECK(here.run({"run", "tiny.toml", "--out", "photos", "--timeline", "t.json"}).code == 2);
  CHECK(read_file(here.path() / "t.json") == older);
  CHECK(here.run({"run", "tiny.toml", "--out", "photos", "--timeline", "new.json"}).code == 2);
  CHECK_FALSE(std::filesystem::exists(here.path() / "new.json"));
}

TEST_CASE("an option and --set do not contradict each other") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  check_refused(here, {"run", "tiny.toml", "--seed", "5", "--set", "seed=6"},
                "--seed 5 and --set seed=6 contradict each other");
  check_refused(here, {"run", "tiny.toml", "--records", "jobs", "--set", "records=tasks"},
                "contradict");
  CHECK(here.run({"run", "tiny.toml", "-q", "--out", "o", "--seed", "5", "--set", "seed=5"}).code ==
        0);
}

TEST_CASE("places that cannot be written to are refused without the text of an exception") {
  const scratch here;
  here.write("file", "");
  const auto project = here.run({"new", "policy", "mine", "--out", "file/mine"});
  CHECK(project.code == 2);
  CHECK(contains(project.err, "new policy: file/mine cannot be created: Not a directory"));
  const auto hunt = in_bash(here, "TMPDIR=/nowhere $TROUPE chaos --swarm --seeds 1..2\n");
  CAPTURE(hunt.err);
  CHECK(hunt.code == 2);
  CHECK(contains(hunt.err, "expected TMPDIR to name a directory where you may write"));
}

TEST_CASE("a limit of the size of files does not kill a run, and the results tell their place") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  const auto run = in_bash(here, "set -o pipefail\n(ulimit -f 1; $TROUPE run tiny.toml --no-report "
                                 "--out out --json --records jobs) 2>&1 | cat\n");
  CAPTURE(run.out);
  CHECK(run.code == 1);
  CHECK(contains(run.out, "on standard output only"));
  CHECK(contains(run.out, "\"directory\": null"));
  CHECK(contains(run.out, "jobs.csv.gz is incomplete"));
}
