#include "cli/samples.hpp"
#include "cli/shell.hpp"
#include "support/gzip_csv.hpp"
#include "support/long_case.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <iterator>

using namespace troupe::test;

namespace fs = std::filesystem;

namespace {

/// Settings whose records have several parts.
const std::string many_tasks =
  "--set workload.phases.0.rate=300 --set workload.phases.0.length=40s --set cluster.machines=400";

} // namespace

TEST_CASE("a run whose records do not fit fails, and the records can be read") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  const auto run = in_bash(here, "ulimit -f 100\n$TROUPE run tiny.toml -q --no-report --out out "
                                 "--records tasks " +
                                   many_tasks + "\n");
  CAPTURE(run.err);
  CHECK(run.code == 1);
  CHECK(contains(run.err, "tasks.csv.gz is incomplete"));
  const auto tasks = gzip_rows(here.path() / "out/tasks.csv.gz");
  CHECK(tasks.size() > 100);
  CHECK(fs::exists(here.path() / "out/summary.json"));
}

TEST_CASE("commands with many runs end with the first that has no room, and show their tables" *
          long_case) {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  here.write("e.toml", "name = \"e\"\ntitle = \"E\"\nbase = \"tiny.toml\"\nseeds = 3\n"
                       "[[run]]\nname = \"r\"\n");
  fs::create_directory(here.path() / "tmp");
  struct one {
    std::string command;
    std::string shown;
  };
  for (const auto& [command, shown] :
       {one{"sweep tiny.toml --vary schedulers=1..4 --seeds 3", "0 of 3"},
        one{"find tiny.toml --vary schedulers=1..4 --until 'tasks.placed > 0'", "ended early"},
        one{"experiment e.toml", "FAIL  every run ends well"}}) {
    CAPTURE(command);
    const auto run = in_bash(here, "set -o pipefail\n(ulimit -f 1; TMPDIR=$PWD/tmp $TROUPE " +
                                     command + " --jobs 1 --out out) 2>&1 | cat\n");
    CAPTURE(run.out);
    CHECK(run.code == 1);
    CHECK(contains(run.out, "the results are lost"));
    CHECK(contains(run.out, "results cannot be written: no other run is started"));
    CHECK(contains(run.out, shown));
    CHECK(fs::is_empty(here.path() / "tmp"));
    const auto runs = fs::directory_iterator{here.path() / "out/runs"};
    CHECK(std::distance(fs::begin(runs), fs::end(runs)) == 1);
    fs::remove_all(here.path() / "out");
  }
}

TEST_CASE("commands with many runs show their tables although these cannot be written" *
          long_case) {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  here.write("e.toml", "name = \"e\"\ntitle = \"E\"\nbase = \"tiny.toml\"\nseeds = 1\n"
                       "[[run]]\nname = \"r\"\n");
  struct one {
    std::string command;
    std::string file; ///< that cannot be replaced, as it is a directory
    std::string shown;
  };
  for (const auto& [command, file, shown] :
       {one{"sweep tiny.toml --vary schedulers=1 --seeds 1", "sweep.csv", "tasks placed"},
        one{"find tiny.toml --vary schedulers=1..2 --seeds 1 --until 'tasks.placed > 0'",
            "found.csv", "schedulers = 1"},
        one{"experiment e.toml", "result.json", "PASS  every run ends well"}}) {
    CAPTURE(command);
    fs::create_directories(here.path() / "out" / file / "inside");
    const auto run = in_bash(here, "$TROUPE " + command + " --out out\n");
    CAPTURE(run.err);
    CAPTURE(run.out);
    CHECK(run.code == 1);
    CHECK(contains(run.err, "cannot write out/" + file));
    CHECK(contains(run.out, shown));
    fs::remove_all(here.path() / "out");
  }
}

TEST_CASE("a run of a sweep whose records do not fit is repeated" * long_case) {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  const std::string sweep = "$TROUPE sweep tiny.toml --vary schedulers=2 --seeds 2 --jobs 1 "
                            "--no-report --set records=tasks --out out " +
                            many_tasks + '\n';
  const auto run = in_bash(here, "ulimit -f 100\n" + sweep);
  CAPTURE(run.err);
  CHECK(run.code == 1);
  CHECK(contains(run.err, "tasks.csv.gz is incomplete"));
  CHECK(contains(run.err, "no other run is started, and 1 is left out"));
  const auto again = in_bash(here, sweep);
  CHECK(again.code == 0);
  CHECK_FALSE(contains(again.err, "done before"));
}
