#include "nodes/running_cluster.hpp"
#include "support/documented_json.hpp"

#include <doctest/doctest.h>

#include <csignal>

using namespace troupe::test;

TEST_CASE("the state of a cluster is printed as JSON, as documented") {
  running_cluster cluster{{"--set", endless}};
  cluster.wait_until_finished();
  const documented_json documented;
  const std::vector<std::pair<const char*, std::vector<std::string>>> commands{
    {"status", {"status", "--json"}},
    {"nodes", {"nodes", "--json"}},
    {"top", {"top", "--json"}},
    {"top", {"status", "--watch", "--json"}},
    {"drain", {"drain", "node-3", "--json"}},
    {"drain", {"drain", "node-3", "--wait", "--json"}}};
  for (const auto& [section, arguments] : commands) {
    const auto asked = cluster.here().run(arguments);
    CAPTURE(asked.err);
    CHECK(asked.code == 0);
    for (const auto& fault : documented.faults(section, json::parse(asked.out, nullptr, false)))
      FAIL_CHECK(section << ": " << fault);
  }
  const auto unknown = cluster.here().run({"drain", "node-77", "--json"});
  CHECK(unknown.code == 1);
  CHECK(documented.faults("error", json::parse(unknown.out, nullptr, false)).empty());
  cluster.up().send_signal(SIGINT);
  CHECK(cluster.up().wait().code == 130);
}

TEST_CASE("a node is drained while the work goes on, and shuts down gracefully") {
  running_cluster cluster{{"--set", endless}};
  const auto asked = cluster.here().run({"drain", "node-3", "--wait"});
  CAPTURE(asked.err);
  CHECK(asked.code == 0);
  CHECK(contains(asked.out, "node-3 is empty"));
  const auto node = cluster.node("node-3");
  CHECK(node["state"] == "draining");
  CHECK(node["tasks_running"] == 0);
  REQUIRE(eventually([&] {
    const auto s = cluster.status();
    return s.is_object() && s["owners"]["here"] == 4 && s["schedulers"]["here"] == 4;
  }));
  kill(cluster.pid_of("node-3"), SIGTERM);
  CHECK(cluster.up().wait_for("node-3 has left"));
  cluster.up().send_signal(SIGINT);
  CHECK(cluster.up().wait().code == 130);
  CHECK(cluster.none_is_left());
}

TEST_CASE("a node whose connection is cut while it is drained is drained on") {
  running_cluster cluster{{"--set", endless, "--set", "workload.duration.value=3600"}};
  REQUIRE(eventually([&] { return cluster.node("node-3")["tasks_running"] > 0; }));
  program asked{cluster.here().path(), {"drain", "node-3", "--wait"}};
  REQUIRE(asked.wait_for("tasks run"));
  const auto frozen = cluster.pid_of("node-3");
  kill(frozen, SIGSTOP);
  const bool seen = asked.wait_for("node-3 cannot be reached");
  kill(frozen, SIGCONT);
  REQUIRE(seen);
  REQUIRE(eventually([&] { return cluster.node("node-3")["state"] != "gone"; }));
  CHECK(cluster.node("node-3")["state"] == "draining");
  CHECK(cluster.pid_of("node-3") == frozen);
  asked.send_signal(SIGINT);
  CHECK(asked.wait().code == 128 + SIGINT);
  cluster.up().send_signal(SIGINT);
  CHECK(cluster.up().wait().code == 128 + SIGINT);
  CHECK(cluster.none_is_left());
}

TEST_CASE("who waits for a node to be empty is told that the cluster has ended") {
  running_cluster cluster{{"--set", endless, "--set", "workload.duration.value=3600"}};
  REQUIRE(eventually([&] { return cluster.node("node-3")["tasks_running"] > 0; }));
  program asked{cluster.here().path(), {"drain", "node-3", "--wait"}};
  REQUIRE(asked.wait_for("tasks run"));
  kill(cluster.pid_of("node-1"), SIGKILL);
  const auto ended = asked.wait();
  CAPTURE(ended.err);
  CHECK(ended.code == 1);
  CHECK(contains(ended.err, "drain node-3: the cluster has ended, or its master cannot be reached "
                            "any more, before node-3 was empty"));
  CHECK(ended.out.empty());
  cluster.up().send_signal(SIGINT);
  cluster.up().wait();
  CHECK(cluster.none_is_left());
}

TEST_CASE("what cannot be drained is refused") {
  running_cluster cluster{{"--nodes", "2", "--set", endless}};
  const auto unknown = cluster.here().run({"drain", "node-9"});
  CHECK(unknown.code == 1);
  CHECK(contains(unknown.err, "there is no node named node-9; there are: node-1, node-2"));
  const auto first = cluster.here().run({"drain", "node-1"});
  CHECK(first.code == 1);
  CHECK(contains(first.err, "node node-1 has the master and the workload, which cannot move"));
  const auto last = cluster.here().run({"drain", "node-2"});
  CHECK(last.code == 1);
  CHECK(contains(last.err, "no other node can take its owners"));
}
