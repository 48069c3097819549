#include "nodes/running_cluster.hpp"
#include "support/gzip_csv.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>

using namespace troupe::test;
namespace fs = std::filesystem;

namespace {

bool all_checks_passed(const json& summary) {
  for (const auto& check : summary["checks"])
    if (!check["passed"].get<bool>()) {
      MESSAGE(check.dump());
      return false;
    }
  return !summary["checks"].empty();
}

/// A workload that goes on for longer than any test.
constexpr const char* long_work = "workload.phases=[{length=\"3600s\", rate=200}]";

} // namespace

TEST_CASE("a cluster that runs once finishes its tasks and leaves no process") {
  running_cluster cluster{{"--once"}};
  CHECK(cluster.pids().size() == 4);
  const auto end = cluster.up().wait();
  CAPTURE(end.err);
  CAPTURE(end.out);
  CHECK(end.code == 0);
  CHECK(cluster.none_is_left());
  const auto summary = cluster.summary();
  CHECK(summary["tasks"]["submitted"].get<int>() > 1500);
  CHECK(summary["tasks"]["finished"] == summary["tasks"]["submitted"]);
  CHECK(summary["interrupted"] == false);
  CHECK(all_checks_passed(summary));
  CHECK(contains(end.out, "4 nodes, 100 machines, mutual TLS on loopback"));
  CHECK(contains(end.out, "results in cluster/results"));
  CHECK(contains(end.err, "node-4 has joined"));
  for (const auto* node : {"node-2", "node-3", "node-4"}) {
    const auto log = read_file(cluster.here().path() / "cluster" / node / "log");
    CHECK(contains(log, "node-1 has shut down gracefully"));
    CHECK_FALSE(contains(log, "cannot be reached"));
  }
}

TEST_CASE("records of jobs and tasks come from schedulers on other nodes") {
  for (const std::string architecture : {"parsync", "sparrow"}) {
    CAPTURE(architecture);
    running_cluster cluster{
      {"--once", "--set", "records=tasks", "--set", "architecture=" + architecture}};
    const auto end = cluster.up().wait();
    CAPTURE(end.err);
    REQUIRE(end.code == 0);
    const auto summary = cluster.summary();
    const auto results = cluster.here().path() / "cluster" / "results";
    CHECK(gzip_rows(results / "jobs.csv.gz").size() == summary["jobs"]["submitted"]);
    const auto tasks = gzip_rows(results / "tasks.csv.gz");
    CHECK(tasks.size() == summary["tasks"]["finished"]);
    for (const auto& task : tasks) {
      REQUIRE(task.at("state") == "finished");
      // By the time of the run, which begins later than that of the cluster.
      CHECK(std::stod(task.at("submitted_s")) >= 0);
      CHECK(std::stod(task.at("ended_s")) < summary["simulated_seconds"].get<double>() + 1);
      CHECK(std::stod(task.at("started_s")) >= std::stod(task.at("submitted_s")));
    }
  }
}

TEST_CASE("the status agrees with the summary, and Ctrl-C leaves nothing behind") {
  running_cluster cluster;
  REQUIRE(cluster.up().wait_for("the workload is over"));
  const auto work = cluster.workload();
  const auto summary = cluster.summary();
  CHECK(work["over"] == true);
  CHECK(work["submitted"] == summary["tasks"]["submitted"]);
  CHECK(work["placed"] == summary["tasks"]["placed"]);
  CHECK(work["finished"] == summary["tasks"]["finished"]);
  CHECK(work["conflicts"] == summary["conflicts"]);
  const auto status = cluster.status();
  REQUIRE(status.is_object());
  CHECK(status["machines"]["here"] == 100);
  CHECK(status["owners"]["here"] == 4);
  const auto text = cluster.here().run({"status"});
  CHECK(contains(text.out, "over after"));
  const auto table = cluster.here().run({"nodes"});
  CHECK(contains(table.out, "node-3"));
  check_ends_well(cluster.up(), SIGINT);
  CHECK(cluster.none_is_left());
  CHECK(cluster.here().run({"status"}).code == 2);
}

TEST_CASE("a signal during the work shuts all nodes down gracefully, with results") {
  running_cluster cluster{{"--set", long_work}};
  cluster.wait_until_finished(100);
  cluster.up().send_signal(SIGTERM);
  const auto end = cluster.up().wait();
  CAPTURE(end.err);
  CHECK(end.code == 128 + SIGTERM);
  CHECK(cluster.none_is_left());
  const auto summary = cluster.summary();
  CHECK(summary["interrupted"] == true);
  CHECK(summary["tasks"]["finished"].get<int>() > 100);
  CHECK_FALSE(contains(end.err, "is killed"));
}

TEST_CASE("a directory has one cluster, whose nodes die with it, and is taken over then") {
  running_cluster cluster{{"--set", long_work}};
  const auto second = cluster.here().run({"cluster", "up", "small.toml"});
  CHECK(second.code == 2);
  CHECK(contains(second.err, "cluster: a cluster is running there already (process "));
  cluster.up().send_signal(SIGKILL);
  CHECK(cluster.up().wait().code == -SIGKILL);
  CHECK(cluster.none_is_left());
  const auto asked = cluster.here().run({"nodes"});
  CHECK(asked.code == 2);
  CHECK(contains(asked.err, "no cluster is running there"));
  const auto third = cluster.here().run({"cluster", "up", "small.toml", "--once"});
  CAPTURE(third.err);
  CHECK(third.code == 0);
}

TEST_CASE("a single node has everything") {
  running_cluster cluster{{"--nodes", "1", "--once", "--machines", "40"}};
  const auto end = cluster.up().wait();
  CAPTURE(end.err);
  CHECK(end.code == 0);
  CHECK(cluster.none_is_left());
  CHECK(cluster.summary()["tasks"]["finished"] == cluster.summary()["tasks"]["submitted"]);
}

TEST_CASE("results outlive a closed terminal and a directory that is gone") {
  const scratch here;
  here.write("small.toml", small_settings);
  program node{here.path(),
               {"node", "--name", "a", "--roles", "master,workload,owner,scheduler,machine",
                "--machines", "100", "--config", "small.toml", "--set", long_work, "--state", "a",
                "--out", "results"}};
  REQUIRE(node.wait_for("listens on "));
  auto at = read_file(here.path() / "a" / "address");
  at.erase(at.find_last_not_of('\n') + 1);
  REQUIRE(eventually([&] {
    const auto asked = here.run({"status", "--json", "--at", at});
    const auto all = json::parse(asked.out, nullptr, false);
    return all.is_object() && all["workload"].is_object() && all["workload"]["finished"] > 100;
  }));
  fs::remove_all(here.path() / "results");
  here.write("results", "somebody else's");
  node.send_signal(SIGHUP);
  const auto end = node.wait();
  CAPTURE(end.err);
  CHECK(end.code == 1);
  CHECK(contains(end.err, "cannot write results to results"));
  CHECK(contains(end.out, "interrupted"));
  CHECK(read_file(here.path() / "results") == "somebody else's");
  json kept;
  for (const auto& name : here.entries())
    if (name.starts_with("results-kept-") && name.ends_with("summary.json"))
      kept = json::parse(read_file(here.path() / name));
  REQUIRE(kept.is_object());
  CHECK(kept["interrupted"] == true);
  CHECK(kept["tasks"]["finished"].get<int>() > 100);
}

TEST_CASE("what cannot be started is refused before anything is") {
  const scratch here;
  here.write("small.toml", small_settings);
  const auto few = here.run({"cluster", "up", "small.toml", "--nodes", "12", "--machines", "8"});
  CHECK(few.code == 2);
  CHECK(contains(few.err, "8 machines cannot be shared by 11 nodes"));
  CHECK(here.run({"cluster", "up", "none.toml"}).code == 2);
  CHECK(here.run({"cluster", "up", "small.toml", "--nodes", "0"}).code == 2);
  fs::create_directory(here.path() / "open");
  fs::permissions(here.path() / "open", fs::perms::all);
  fs::create_directory(here.path() / "state");
  fs::create_directory_symlink(here.path() / "open", here.path() / "state" / "certs");
  const auto link = here.run({"cluster", "up", "small.toml", "--dir", "state"});
  CHECK(link.code == 2);
  CHECK(
    contains(link.err, "state/certs: is a symbolic link, and keys are not written through one"));
  const auto open = here.run({"cluster", "up", "small.toml", "--certs", "open"});
  CHECK(open.code == 2);
  CHECK(contains(open.err, "open: may be written to by all users"));
  CHECK(fs::is_empty(here.path() / "open"));
  const auto nothing = here.run({"cluster", "up"});
  CHECK(nothing.code == 2);
  CHECK(contains(nothing.err, "expected a CONFIG"));
  const auto nobody = here.run({"status"});
  CHECK(nobody.code == 2);
  CHECK(contains(nobody.err, "no cluster is running there"));
}
