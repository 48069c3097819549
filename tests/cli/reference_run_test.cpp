#include "cli/samples.hpp"
#include "cli/shell.hpp"
#include "cli/summary.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

using namespace troupe::test;

namespace fs = std::filesystem;

namespace {

void write_failing(const scratch& here) {
  here.write("tiny.toml", std::string{tiny_settings} + one_failure);
}

} // namespace

TEST_CASE("the place of the run without failures is checked before any run") {
  const scratch here;
  write_failing(here);
  fs::create_directories(here.path() / "out-without-failures");
  here.write("out-without-failures/notes.txt", "mine");
  const auto run = here.run({"run", "tiny.toml", "-q", "--out", "out"});
  CHECK(run.code == 2);
  CHECK(contains(run.err, "out-without-failures: it holds \"notes.txt\""));
  CHECK_FALSE(fs::exists(here.path() / "out/summary.json"));
}

TEST_CASE("the results of the run without failures are kept elsewhere, too") {
  const scratch here;
  write_failing(here);
  // A directory cannot be replaced by a file, even by root.
  fs::create_directories(here.path() / "out-without-failures/delays.csv/inside");
  fs::create_directories(here.path() / "filled");
  REQUIRE(here.run({"run", "tiny.toml", "-q", "--no-reference", "--out", "filled"}).code == 0);
  fs::copy(here.path() / "filled/summary.json", here.path() / "out-without-failures");
  const auto run = in_bash(here, "$TROUPE run tiny.toml --out out --json\n");
  CAPTURE(run.err);
  CHECK(run.code == 1);
  CHECK(contains(run.err, "out-without-failures/delays.csv"));
  CHECK(contains(run.err, "the results without failures are in out-without-failures-kept-"));
  const auto all = nlohmann::json::parse(run.out);
  CHECK(all.at("directory") == "out");
  const auto kept = all.at("without_failures").at("directory").get<std::string>();
  CHECK(kept.starts_with("out-without-failures-kept-"));
  CHECK(summary_in(here.path() / kept).at("tasks").at("submitted") > 100);
}

TEST_CASE("the place of the run without failures is beside the other, however that is written") {
  const scratch here;
  write_failing(here);
  for (const auto* out : {"out/", "./out//", "out/."})
    for (int again = 0; again < 2; ++again) {
      const auto run = here.run({"run", "tiny.toml", "-q", "--no-report", "--out", out});
      CAPTURE(run.err);
      CHECK(run.code == 0);
      CHECK(fs::exists(here.path() / "out/summary.json"));
      CHECK(fs::exists(here.path() / "out-without-failures/summary.json"));
      CHECK_FALSE(fs::exists(here.path() / "out/-without-failures"));
    }
  const auto inside = in_bash(here, "mkdir in && cd in && $TROUPE run ../tiny.toml -q --out .\n");
  CAPTURE(inside.err);
  CHECK(inside.code == 0);
  CHECK(fs::exists(here.path() / "in-without-failures/summary.json"));
}
