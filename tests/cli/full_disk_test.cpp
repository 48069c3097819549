#include "cli/samples.hpp"
#include "cli/shell.hpp"
#include "support/gzip_csv.hpp"

#include <doctest/doctest.h>

#include <filesystem>

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
