#include "cli/process.hpp"
#include "cli/samples.hpp"
#include "support/long_case.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

using namespace troupe::test;
namespace fs = std::filesystem;

namespace {

/// Debian's own, which has Debian's packages.
constexpr auto python = "/usr/bin/python3";

bool has_pandas() {
  const auto ask = std::string{python} + " -c 'import pandas, matplotlib' >/dev/null 2>&1";
  return std::system(ask.c_str()) == 0;
}

/// Runs the example in `here` with the output in the file "said". Returns whether it succeeded.
bool analyse(const scratch& here, const std::string& results) {
  const auto command = "cd '" + here.path().string() + "' && MPLCONFIGDIR=. " + python +
                       " '" TROUPE_SOURCE_DIR "/examples/analysis.py' " + results +
                       " figures >said 2>&1";
  return std::system(command.c_str()) == 0;
}

} // namespace

TEST_CASE("the example of an analysis makes three figures from the records of a run" * long_case) {
  if (!has_pandas()) {
    MESSAGE("skipped: Debian's python3-pandas and python3-matplotlib are not installed");
    return;
  }
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  for (const std::string architecture : {"parsync", "sparrow"}) {
    CAPTURE(architecture);
    REQUIRE(here
              .run({"run", "tiny.toml", "-q", "--no-report", "--records", "tasks", "--set",
                    "architecture=" + architecture, "--out", architecture})
              .code == 0);
    const bool done = analyse(here, architecture);
    const auto said = read_file(here.path() / "said");
    CAPTURE(said);
    CHECK(done);
    CHECK(contains(said, "slowdown"));
    CHECK_FALSE(contains(said, "Warning"));
    for (const auto* name : {"slowdown", "steps", "conflicts"}) {
      const auto figure = here.path() / "figures" / (std::string{name} + ".png");
      REQUIRE(fs::exists(figure));
      CHECK(fs::file_size(figure) > 5000);
      CHECK(read_file(figure).starts_with("\x89PNG"));
      fs::remove(figure);
    }
  }
  REQUIRE(here.run({"run", "tiny.toml", "-q", "--records", "jobs", "--out", "jobs"}).code == 0);
  CHECK_FALSE(analyse(here, "jobs"));
  CHECK(contains(read_file(here.path() / "said"), "make it by: troupe run CONFIG --records tasks"));
}
