#include "cli/samples.hpp"
#include "cli/shell.hpp"
#include "cli/summary.hpp"
#include "support/long_case.hpp"

#include <doctest/doctest.h>

#include <filesystem>

using namespace troupe::test;

namespace fs = std::filesystem;

namespace {

/// Runs a command line whose standard output is a pipe that nobody reads any more.
outcome without_reader(const scratch& here, const std::string& command) {
  auto result = in_bash(here, "mkfifo gone\n"
                              "{ read -r _ < gone; $TROUPE " +
                                command +
                                "; echo $? > code; } | { exec <&-; echo > gone; }\n"
                                "exit $(cat code)\n");
  fs::remove(here.path() / "gone");
  fs::remove(here.path() / "code");
  return result;
}

} // namespace

TEST_CASE("a run writes its results although nobody reads what it prints") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  const auto run = without_reader(here, "run tiny.toml --out out");
  CAPTURE(run.err);
  CHECK(run.code == 1);
  CHECK(contains(run.err, "cannot write to standard output: "));
  for (const auto* file : {"summary.json", "timeseries.csv", "config.toml", "report.html"})
    CHECK(fs::exists(here.path() / "out" / file));
  CHECK(summary_in(here.path() / "out").at("tasks").at("submitted") > 100);
}

TEST_CASE("commands with many runs write all of their files likewise" * long_case) {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  here.write("e.toml", "name = \"e\"\ntitle = \"E\"\nbase = \"tiny.toml\"\nseeds = 1\n"
                       "[[run]]\nname = \"r\"\n");
  struct one {
    std::string command;
    std::string last; ///< file that is written
  };
  for (const auto& [command, last] :
       {one{"sweep tiny.toml --vary schedulers=1,2 --seeds 1", "results/sweep/tiny/report.html"},
        one{"find tiny.toml --vary schedulers=1..2 --seeds 1 --until 'tasks.placed > 0'",
            "results/find/tiny/report.html"},
        one{"compare tiny.toml --seeds 1 --out c", "c/report.html"},
        one{"experiment e.toml", "results/experiments/e/report.html"}}) {
    CAPTURE(command);
    const auto run = without_reader(here, command);
    CAPTURE(run.err);
    CHECK(run.code == 1);
    CHECK(contains(run.err, "cannot write to standard output: "));
    CHECK(fs::exists(here.path() / last));
  }
}
