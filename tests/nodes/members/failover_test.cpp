#include "nodes/running_cluster.hpp"

#include <doctest/doctest.h>

#include <csignal>

using namespace troupe::test;

namespace {

/// The same work for so long that something can fail amid it.
constexpr const char* longer = "workload.phases=[{length=\"12s\", rate=300}]";

void check_nothing_lost(running_cluster& cluster) {
  const auto end = cluster.up().wait();
  CAPTURE(end.err);
  CAPTURE(end.out);
  CHECK(end.code == 0);
  const auto summary = cluster.summary();
  CHECK(summary["tasks"]["submitted"].get<int>() > 3000);
  CHECK(summary["tasks"]["finished"] == summary["tasks"]["submitted"]);
  CHECK(cluster.none_is_left());
}

} // namespace

TEST_CASE("a node that is killed loses no task") {
  running_cluster cluster{{"--once", "--set", longer}};
  cluster.wait_until_finished();
  kill(cluster.pid_of("node-3"), SIGKILL);
  CHECK(cluster.up().wait_for("was killed by signal 9 (Killed)"));
  CHECK(cluster.up().wait_for("node-3 is gone"));
  check_nothing_lost(cluster);
  const auto events = cluster.file("events.csv");
  CAPTURE(events);
  CHECK(events.find(",node lost,node-3,\"with 33 machines, owner.") != std::string::npos);
  CHECK(events.find(",takeover,") != std::string::npos);
  CHECK(events.find(" after node-3, as incarnation ") != std::string::npos);
  CHECK(cluster.file("partitions.csv").find("\r\n0,1") != std::string::npos);
  CHECK(cluster.file("report.html").find("node lost: node-3") != std::string::npos);
}

TEST_CASE("a node that is killed is started again if that is asked for") {
  running_cluster cluster{{"--once", "--restart", "--set", longer}};
  cluster.wait_until_finished();
  const auto before = cluster.pid_of("node-2");
  kill(before, SIGKILL);
  CHECK(cluster.up().wait_for("it is restarted"));
  REQUIRE(eventually([&] {
    const auto node = cluster.node("node-2");
    return node["state"] == "here" && node["pid"] != before;
  }));
  check_nothing_lost(cluster);
}

TEST_CASE("a node that stands still for longer than the time-outs loses no task") {
  running_cluster cluster{{"--once", "--set", longer}};
  cluster.wait_until_finished();
  const auto pid = cluster.pid_of("node-4");
  kill(pid, SIGSTOP);
  CHECK(cluster.up().wait_for("node-4 is gone"));
  kill(pid, SIGCONT);
  check_nothing_lost(cluster);
}

TEST_CASE("a cluster that has lost its workload says so, and does not end well") {
  running_cluster cluster{{"--once", "--restart", "--set", longer}};
  cluster.wait_until_finished();
  kill(cluster.pid_of("node-1"), SIGKILL);
  const auto end = cluster.up().wait();
  CAPTURE(end.err);
  CHECK(end.code == 1);
  CHECK(end.err.find("the workload has ended with it") != std::string::npos);
  CHECK(cluster.none_is_left());
}
