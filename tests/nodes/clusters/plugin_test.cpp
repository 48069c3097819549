#include "nodes/running_cluster.hpp"
#include "support/gzip_csv.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

using namespace troupe::test;
namespace fs = std::filesystem;

namespace {

std::string library() {
  return std::string{TROUPE_PLUGIN_DIR} + "/faulty_scheduler.so";
}

std::vector<std::string> with_plugin(std::vector<std::string> more) {
  more.insert(more.end(), {"--plugin", library(), "--set", "scheduler.actor=faulty"});
  return more;
}

} // namespace

TEST_CASE("a node with schedulers from a plugin is killed, and no task is lost") {
  running_cluster cluster{with_plugin({"--once", "--restart", "--set", "records=tasks"})};
  cluster.wait_until_finished(100);
  ::kill(cluster.pid_of("node-2"), SIGKILL);
  const auto finished_before = cluster.workload()["finished"].get<int>();
  const auto end = cluster.up().wait();
  CAPTURE(end.err);
  CAPTURE(end.out);
  CHECK(end.code == 0);
  CHECK(contains(end.err, "node-2"));
  const auto summary = cluster.summary();
  CHECK(summary["tasks"]["submitted"].get<int>() > 1500);
  CHECK(summary["tasks"]["finished"] == summary["tasks"]["submitted"]);
  for (const auto& check : summary["checks"])
    CHECK_MESSAGE(check["passed"].get<bool>(), check.dump());
  CHECK(summary["policy"] == "faulty");
  // The ends that the node had heard of, and had not told the recorder, have no rows: a tenth of
  // all, or what had finished until it was killed if that is more, as on a busy host.
  const auto rows = gzip_rows(cluster.here().path() / "cluster" / "results" / "tasks.csv.gz");
  const auto finished =
    std::ranges::count(rows, "finished", [](auto& row) { return row.at("state"); });
  const auto all = summary["tasks"]["finished"].get<int>();
  CHECK(finished > all - std::max(all / 10, finished_before));
  CHECK(finished <= all);
}

TEST_CASE("a node without the library of a plugin ends with a message that names it") {
  const scratch here;
  fs::copy_file(library(), here.path() / "mine.so");
  here.write("small.toml", small_settings);
  program master{here.path(),
                 {"node", "--name", "a", "--roles", "master,workload,owner,scheduler", "--config",
                  "small.toml", "--plugin", "mine.so", "--set", "scheduler.actor=faulty", "--state",
                  "a"}};
  REQUIRE(master.wait_for("listens on "));
  auto at = read_file(here.path() / "a" / "address");
  at.erase(at.find_last_not_of('\n') + 1);
  fs::rename(here.path() / "mine.so", here.path() / "elsewhere.so");
  const auto other = here.run({"node", "--name", "b", "--roles", "owner,scheduler,machine",
                               "--machines", "100", "--join", at, "--state", "b"});
  CAPTURE(other.err);
  CHECK(other.code != 0);
  CHECK(contains(other.err, "the master's settings"));
  CHECK(contains(other.err, "mine.so"));
  master.send_signal(SIGTERM);
  master.wait();
}
